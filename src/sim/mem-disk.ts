import { type DiskCall, type DiskFault, canHit, mutatingCalls } from './disk-fault.ts'
import type { PowerLoss } from './mem-inode.ts'
import { MemTree } from './mem-tree.ts'
import { ProcessDeath } from './process-death.ts'
import type { Millis } from '../core/millis.ts'
import { type DirEntry, type Disk, DiskError, type FileStat } from '../world/disk.ts'

export interface NumberedCall {
  /** Counts every call of this process, reads too; the first is 1. */
  number: number
  name: DiskCall
  path: string
  mutates: boolean
}

export interface TreeOptions {
  root?: string
  now?: () => Millis
}

/**
 * One process's view of a disk that is harsher than a real one: bytes and names
 * that were not synced are gone after lost power. Each call is numbered, and the
 * `fault` strikes at its number. After a death every call throws `ProcessDeath`
 * until `reboot`.
 */
export class MemDisk implements Disk {
  calls: NumberedCall[] = []
  fault: DiskFault | undefined
  #tree: MemTree
  #isDead = false

  constructor(tree: MemTree = new MemTree(() => 0)) {
    this.#tree = tree
  }

  /**
   * Everything in it is durable. Keys are paths under `root` (default `/`) and
   * make their folders; a key that ends in `/` is an empty folder.
   */
  static fromTree(files: Record<string, string | Uint8Array>, options: string | TreeOptions = {}): MemDisk {
    const { root = '/', now = () => 0 } = typeof options === 'string' ? { root: options } : options
    const tree = new MemTree(now)
    makeFolders(tree, root)
    for (const [key, content] of Object.entries(files)) {
      const path = `${root === '/' ? '' : root}/${key}`
      makeFolders(tree, path.slice(0, path.lastIndexOf('/')))
      if (!key.endsWith('/')) tree.create(path, Buffer.from(content))
    }
    tree.settle()
    return new MemDisk(tree)
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Clock of file times. */
  set now(now: () => Millis) {
    this.#tree.now = now
  }

  /** An independent disk in the same state, alive, with no fault and no calls counted. */
  clone(): MemDisk {
    return new MemDisk(this.#tree.copy())
  }

  /** Another process on the same disk. */
  view(): MemDisk {
    return new MemDisk(this.#tree)
  }

  /** Back to life. `process` keeps what was written; the others lose what was not synced. Clears fault and count. */
  reboot(after: 'process' | PowerLoss = this.fault?.kind === 'power' ? 'power' : 'process'): void {
    if (after !== 'process') this.#tree.losePower(after)
    this.#isDead = false
    this.fault = undefined
    this.calls = []
  }

  /** As from now on, every call of this process throws. */
  kill(): void {
    this.#isDead = true
  }

  /** Makes all that is there durable; for setting a scene. */
  settle(): void {
    this.#tree.settle()
  }

  /** For setting a scene: not a call of the port, so neither counted nor faulted. */
  symlink(target: string, path: string): void {
    this.#tree.symlink(target, path)
  }

  /** The file as text, outside of count and faults; undefined when absent. */
  text(path: string): string | undefined {
    const bytes = this.#tree.read(path)
    return bytes && Buffer.from(bytes).toString('utf8')
  }

  /** Paths of everything but folders under `path`, sorted; outside of count and faults. */
  paths(path = '/'): string[] {
    const below = path === '/' ? '' : path
    return (this.#tree.list(path) ?? []).flatMap(({ name, kind }) =>
      kind === 'directory' ? this.paths(`${below}/${name}`) : [`${below}/${name}`],
    )
  }

  read(path: string): Uint8Array | undefined {
    return this.#isStruck('read', path)
      ? this.#struck('read', path, () => this.#tree.read(path))
      : this.#tree.read(path)
  }

  readRange(path: string, offset: number, length: number): Uint8Array | undefined {
    return this.#isStruck('readRange', path)
      ? this.#struck('readRange', path, () => this.#tree.readRange(path, offset, length))
      : this.#tree.readRange(path, offset, length)
  }

  stat(path: string): FileStat | undefined {
    return this.#isStruck('stat', path)
      ? this.#struck('stat', path, () => this.#tree.stat(path))
      : this.#tree.stat(path)
  }

  lstat(path: string): FileStat | undefined {
    return this.#isStruck('lstat', path)
      ? this.#struck('lstat', path, () => this.#tree.lstat(path))
      : this.#tree.lstat(path)
  }

  list(path: string): DirEntry[] | undefined {
    return this.#isStruck('list', path)
      ? this.#struck('list', path, () => this.#tree.list(path))
      : this.#tree.list(path)
  }

  realpath(path: string): string | undefined {
    return this.#call('realpath', path, () => this.#tree.realpath(path))
  }

  create(path: string, bytes: Uint8Array, mode?: number): boolean {
    const half = bytes.subarray(0, bytes.length >> 1)
    return this.#call('create', path, () => this.#tree.create(path, bytes, mode), {
      torn: () => this.#tree.create(path, half, mode),
      short: () => {
        if (!this.#tree.create(path, half, mode)) return false
        throw new DiskError('ENOSPC', 'create', path)
      },
    })
  }

  append(path: string, bytes: Uint8Array): number {
    const half = bytes.subarray(0, bytes.length >> 1)
    return this.#call('append', path, () => this.#tree.append(path, bytes), {
      torn: () => this.#tree.append(path, half),
      short: () => {
        if (half.length === 0) throw new DiskError('ENOSPC', 'append', path)
        return this.#tree.append(path, half)
      },
    })
  }

  truncate(path: string, sizeBytes: number): void {
    this.#call('truncate', path, () => this.#tree.truncate(path, sizeBytes))
  }

  link(from: string, to: string): boolean {
    return this.#call('link', to, () => this.#tree.link(from, to))
  }

  rename(from: string, to: string): void {
    this.#call('rename', to, () => this.#tree.rename(from, to))
  }

  remove(path: string): boolean {
    return this.#call('remove', path, () => this.#tree.remove(path))
  }

  mkdir(path: string): void {
    this.#call('mkdir', path, () => this.#tree.mkdir(path))
  }

  rmdir(path: string): boolean {
    return this.#call('rmdir', path, () => this.#tree.rmdir(path))
  }

  chmod(path: string, mode: number): void {
    this.#call('chmod', path, () => this.#tree.chmod(path, mode))
  }

  sync(path: string): void {
    this.#call('sync', path, () => this.#tree.sync(path), { failed: () => this.#tree.failSync(path) })
  }

  #call<T>(name: DiskCall, path: string, whole: () => T, part: PartCalls<T> = {}): T {
    return this.#isStruck(name, path) ? this.#struck(name, path, whole, part) : whole()
  }

  /** Counts the call; true when the fault hits it. Most calls are reads, and hit by nothing. */
  #isStruck(name: DiskCall, path: string): boolean {
    if (this.#isDead) throw new ProcessDeath(`${name} ${path}, after its death`)
    const number = this.calls.length + 1
    this.calls.push({ number, name, path, mutates: mutatingCalls.has(name) })
    return this.fault !== undefined && strikes(this.fault, number, name)
  }

  #struck<T>(name: DiskCall, path: string, whole: () => T, part: PartCalls<T> = {}): T {
    const number = this.calls.length
    const { kind } = this.fault!
    switch (kind) {
      case 'kill':
      case 'power':
        return this.#die(number, name, path)
      case 'kill-after':
        whole()
        return this.#die(number, name, path)
      case 'torn':
        part.torn?.()
        return this.#die(number, name, path)
      case 'short':
        return (part.short ?? whole)()
      default:
        part.failed?.()
        throw new DiskError(kind, name, path)
    }
  }

  #die(number: number, name: DiskCall, path: string): never {
    this.#isDead = true
    throw new ProcessDeath(`call ${number}, ${name} ${path}`)
  }
}

/** What a call does when it is cut short. */
interface PartCalls<T> {
  torn?: () => void
  short?: () => T
  failed?: () => void
}

function strikes(fault: DiskFault, number: number, name: DiskCall): boolean {
  return number === fault.at || (fault.sticky === true && number > fault.at && canHit(fault.kind, name))
}

function makeFolders(tree: MemTree, path: string): void {
  let made = ''
  for (const part of path.split('/').filter(part => part !== '')) {
    made += `/${part}`
    tree.mkdir(made)
  }
}
