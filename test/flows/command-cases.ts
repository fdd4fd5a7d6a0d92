import assert from 'node:assert/strict'
import { scriptedChannel } from '../../src/adapters/channels/scripted.ts'
import { peekSession, peekSessionIndex } from '../../src/records/sessions.ts'
import { MemDisk } from '../../src/sim/mem-disk.ts'
import type { SimWorld } from '../../src/sim/sim-world.ts'
import type { Side } from './run-sweep.ts'
import { claimSlot } from '../../src/records/slots.ts'
import { type CommandEnd, type Rig, command, goodText, jobText, rig, root, workspace } from './command-rig.ts'
import { assertSound, openLines, runsOf } from './sound.ts'
import { tickRig } from './tick-rig.ts'

/** One writing command on a prepared workspace, and what must hold once it was repeated after a fault. */
export interface CommandCase {
  name: string
  argv: readonly string[]
  disk: MemDisk
  check: (of: Rig, where: string) => unknown
  /** Exit codes that the repetition may end with; default 0 alone. */
  againExits?: readonly number[]
  minPoints: number
  /** It starts other processes. */
  isLaunching?: true
}

export const template: Record<string, string> = {
  'claw.yaml': 'team: demo\ntimezone: UTC\n',
  gitignore: '.claw/\n',
  'agents/zoe/SOUL.md': 'Be kind.\n',
  'agents/zoe/jobs/note.md': '---\nschedule: "0 9 * * *"\n---\nWrite a note.\n',
}

export function initCase(): CommandCase {
  const files = Object.entries(template).map(([path, text]) => [`opt/claw/workspace/${path}`, text])
  return {
    name: 'init',
    argv: ['init', 'team'],
    disk: MemDisk.fromTree({ ...Object.fromEntries(files), 'ws/': '' }),
    minPoints: 25,
    check: async (of, where) => {
      for (const [path, text] of Object.entries(template)) {
        const installed = `${root}/team/${path.replace('gitignore', '.gitignore')}`
        assert.equal(of.world.disk.text(installed), text, `${where}: ${installed}`)
      }
      assert.match((await command(of, 'init', 'team')).out, /wrote 0 files, kept 4/, where)
    },
  }
}

function turnCase(): CommandCase {
  return {
    name: 'run -m',
    argv: ['run', 'ann', '-m', 'What is new?'],
    disk: MemDisk.fromTree(workspace, root),
    minPoints: 40,
    check: async (of, where) => {
      await assertSound(of, where)
      assert.equal(runsOf(of).at(-1)?.state, 'ok', where)
      const index = peekSessionIndex(of.world.disk, root, 'ann')['agent:ann:main']
      const { entries } = peekSession(of.world.disk, root, 'ann', index?.sessionId ?? '-')
      const roles = entries.map(entry => (entry.type === 'message' ? entry.message.role : entry.type))
      assert.deepEqual(roles.slice(-2), ['user', 'assistant'], `${where}: ${roles.join(' ')}`)
    },
  }
}

/** A delivery that waits because its channel said no for now, or that was given up. */
async function withDelivery(side: Side, permanent: boolean): Promise<{ disk: MemDisk; id: string }> {
  const refusing = scriptedChannel({
    kind: side,
    script: () => ({ kind: 'refused', why: 'not now', permanent, retryAfterMs: 3_600_000 }),
  })
  const made = rig({ otherSide: { [side]: refusing } })
  await command(made, 'run', 'ann', side === 'keyed' ? 'list' : 'blind')
  const [line] = await openLines(made)
  assert.equal(line?.state, permanent ? 'failed' : 'queued')
  made.world.disk.settle()
  return { disk: made.world.disk.clone(), id: line!.id }
}

async function retryCase(side: Side, isNamed: boolean): Promise<CommandCase> {
  const { disk, id } = await withDelivery(side, isNamed)
  return {
    name: `outbox retry${isNamed ? ' <id>' : ''}, ${side}`,
    argv: ['outbox', 'retry', ...(isNamed ? [id] : [])],
    disk,
    minPoints: 14,
    againExits: [0, 1],
    check: async (of, where) => {
      const { received } = of.otherSide[side]
      assert.ok(received.length <= 1, `${where}: arrived ${received.length} times`)
      if (received.length === 0 && side === 'blind') {
        assert.deepEqual(
          (await openLines(of)).map(({ state }) => state),
          ['unknown'],
          where,
        )
      } else
        assert.deepEqual(
          received.map(({ text }) => text),
          [goodText.trimEnd()],
          where,
        )
    },
  }
}

async function dropCase(): Promise<CommandCase> {
  const { disk, id } = await withDelivery('keyed', false)
  return {
    name: 'outbox drop <id>',
    argv: ['outbox', 'drop', id],
    disk,
    minPoints: 5,
    check: async (of, where) => {
      assert.deepEqual(await openLines(of), [], where)
      assert.deepEqual(
        (await openLines(of, '--all')).map(({ state }) => state),
        ['dropped'],
        where,
      )
      assert.equal(of.otherSide.keyed.received.length, 0, where)
    },
  }
}

/** A workspace after a crash, a hand edit and a restore: a torn log, a lost state, an old draft, open modes. */
async function doctorCase(): Promise<CommandCase> {
  const made = rig({ files: { '.env': 'KEY=x\n', 'agents/ann/MEMORY.md.0123abcd.draft': 'half' } })
  await command(made, 'run', 'ann', 'list')
  const { disk, clock } = made.world
  disk.append(`${root}/shared-context/agent-runs/ann/2026-11.jsonl`, Buffer.from('{"type":"ru'))
  disk.remove(`${root}/shared-context/job-status/ann.list.json`)
  disk.chmod(`${root}/.env`, 0o644)
  disk.settle()
  clock.advance(2 * 3_600_000)
  assert.match((await command(made, 'doctor')).out, /\.draft[^]*\.env|\.env[^]*\.draft/)
  return {
    name: 'doctor --fix',
    argv: ['doctor', '--fix'],
    disk: disk.clone(),
    minPoints: 30,
    check: async (of, where) => {
      assert.match((await command(of, 'doctor')).out, /^(note .*\n)*(all is well|no errors)\n$/, where)
      const torn = of.world.disk.text(`${root}/shared-context/agent-runs/ann/2026-11.jsonl.torn`)
      assert.match(torn ?? '', /\{"type":"ru\n$/, `${where}: the torn bytes are gone`)
      assert.equal(runsOf(of).length, 1, where)
    },
  }
}

/** Two jobs of one minute that nobody ran, a slot past its window, a delivery that waits, a run that died. */
async function tickCase(): Promise<CommandCase> {
  const made = tickRig({
    now: '2026-11-29T00:29:05Z',
    files: {
      'agents/ann/jobs/late.md': jobText(['catchup: {policy: none}']).replace('30 8 * * *', '0 10 * * *'),
    },
  })
  await command(made, 'tick')
  const slot = { agent: 'ann', job: 'blind', slot: Date.parse('2026-11-30T00:30:00Z') }
  claimSlot(made.world.another(), root, slot, 1, '20261130-003001-dddddd')
  made.world.disk.settle()
  const slots = ['2026-11-29T00:30', '2026-11-29T02:00', '2026-11-30T00:30', '2026-11-30T02:00']
  return {
    name: 'tick',
    argv: ['tick', '--quiet'],
    disk: made.world.disk.clone(),
    minPoints: 40,
    isLaunching: true,
    check: async (of, where) => {
      // The state of a job is derived, and nobody runs these jobs again after lost power.
      await command(of, 'doctor', '--fix')
      await assertSound(of, where)
      const ends = runsOf(of).map(({ job, state, slot: at }) => `${at?.slice(0, 16)} ${job} ${state}`)
      for (const at of slots) {
        const jobs = at.endsWith('02:00') ? ['late'] : ['blind', 'list']
        for (const job of jobs) {
          const own = ends.filter(end => end.startsWith(`${at} ${job} `))
          assert.ok(own.length > 0, `${where}: nobody tells of ${job} at ${at}`)
          assert.ok(own.filter(end => end.endsWith(' ok')).length <= 1, `${where}: ${own.join(', ')}`)
        }
      }
      assert.equal(of.otherSide.keyed.received.length, 1, where)
      assert.ok(of.otherSide.blind.received.length <= 1, where)
      assert.equal(ends.filter(end => end.endsWith('list ok')).length, 1, where)
    },
  }
}

export async function commandCases(): Promise<CommandCase[]> {
  return [
    initCase(),
    turnCase(),
    await retryCase('keyed', false),
    await retryCase('blind', false),
    await retryCase('keyed', true),
    await retryCase('blind', true),
    await dropCase(),
    await doctorCase(),
    await tickCase(),
  ]
}

export function sweepOf({ argv, disk, check, againExits = [0], isLaunching }: CommandCase) {
  const rigs = new WeakMap<SimWorld, Rig>()
  const of = (world: SimWorld): Rig => rigs.get(world)!
  const act = (world: SimWorld): Promise<CommandEnd> => command(of(world), ...argv)
  return {
    start: () => {
      const options = {
        disk: disk.clone(),
        now: isLaunching ? '2026-11-30T02:20:00Z' : '2026-11-30T03:31:00Z',
      }
      const made = isLaunching ? tickRig(options) : rig(options)
      rigs.set(made.world, made)
      return made.world
    },
    act,
    again: async (world: SimWorld) => {
      world.clock.advance(60_000)
      const { exitCode, err } = await act(world)
      assert.ok(againExits.includes(exitCode), `exit ${exitCode}: ${err}`)
    },
    check: (world: SimWorld, where: string) => check(of(world), where),
    acked: (world: SimWorld, where: string) => check(of(world), where),
  }
}
