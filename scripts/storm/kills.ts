import { type StormResult, killStorm } from '../../test/faults/kill-storm.ts'
import { progressOf } from './progress.ts'

/** Each round begins with an empty folder, so that reading the logs stays cheap. */
const killsPerRound = 500

/** R1. True when nothing was lost, doubled or torn. */
export async function stormKills({ kills, seed }: { kills: number; seed: number }): Promise<boolean> {
  const sum = { kills: 0, acks: 0, lost: 0, doubled: 0, torn: 0 }
  const complaints: string[] = []
  const show = progressOf('kills', () => kills)
  for (let round = 0; sum.kills < kills; round++) {
    const before = sum.kills
    const wanted = Math.min(killsPerRound, kills - before)
    const result = await killStorm({
      kills: wanted,
      kind: 'store',
      seed: seed + round,
      onKill: done => before + done <= kills && show(before + done),
    })
    add(sum, result)
    complaints.push(...result.complaints)
    if (complaints.length > 0) break
  }
  for (const complaint of complaints) console.log(`a writer says: ${complaint}`)
  console.log(
    `R1 ${sum.kills} kills, ${sum.lost} lost, ${sum.doubled} doubled, ${sum.torn} torn (${sum.acks} acknowledged)`,
  )
  return sum.lost + sum.doubled + sum.torn + complaints.length === 0 && sum.acks >= sum.kills / 2
}

type Sum = Pick<StormResult, 'kills' | 'acks' | 'lost' | 'doubled' | 'torn'>

function add(sum: Sum, result: StormResult): void {
  for (const key of Object.keys(sum) as (keyof Sum)[]) sum[key] += result[key]
}
