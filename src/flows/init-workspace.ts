import { dirname, join, resolve } from 'node:path'
import { ClawError } from '../core/claw-error.ts'
import { createFile, ensureDir } from '../store/atomic-file.ts'
import type { World } from '../world/world.ts'

export type Template = 'team' | 'solo'

export interface InitReport {
  root: string
  template: Template
  /** Relative paths. */
  created: string[]
  kept: string[]
}

/** The agent of the one-agent template. */
const soloAgent = 'zoe'

/** Copies the template; a file that exists is kept as it is. */
export function initWorkspace(world: World, dir: string, template: Template): InitReport {
  const { disk, host } = world
  const root = resolve(host.cwd, dir)
  const source = join(host.packageDir, 'workspace')
  const files = filesBelow(world, source, '')
  if (files.length === 0)
    throw new ClawError('not-found', `the template ${source} is missing from this installation`)
  const report: InitReport = { root, template, created: [], kept: [] }
  for (const path of files.filter(name => template === 'team' || isSolo(name))) {
    const target = join(root, installedName(path))
    ensureDir(disk, dirname(target))
    const bytes = disk.read(join(source, path))
    if (bytes && createFile(world, target, bytes)) report.created.push(installedName(path))
    else report.kept.push(installedName(path))
  }
  return report
}

function isSolo(path: string): boolean {
  const [top, agent] = path.split('/')
  return top !== 'agents' || agent === soloAgent
}

/** A package registry drops files called .gitignore, so the template names it without the dot. */
function installedName(path: string): string {
  return path.replace(/(^|\/)gitignore$/, '$1.gitignore')
}

function filesBelow(world: World, source: string, below: string): string[] {
  return (world.disk.list(join(source, below)) ?? []).flatMap(({ name, kind }) => {
    const path = below === '' ? name : `${below}/${name}`
    return kind === 'directory' ? filesBelow(world, source, path) : [path]
  })
}
