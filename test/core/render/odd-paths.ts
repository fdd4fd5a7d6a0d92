import { SeededRandom } from '../../../src/sim/seeded-random.ts'

const pieces = [
  'a',
  'Team 1',
  '日报',
  'é',
  'x%y',
  '50%',
  '&',
  "it's",
  '"q"',
  '$HOME',
  '`id`',
  String.raw`back\slash`,
  String.raw`\%d`,
  ';',
  '#1',
  '(old)',
  '<new>',
  '!',
  '*',
  '~',
  '--',
  '=',
  '{a,b}',
  '🙂',
  'a  b',
  String.raw`\\%`,
  "'",
  '%',
]

/** Absolute paths such as people and programs make them, always the same. */
export function oddPaths(count: number): string[] {
  const random = new SeededRandom(7)
  const pick = (below: number): number => Math.floor(random.fraction() * below)
  return Array.from({ length: count }, (_, index) => {
    const names = Array.from({ length: 1 + pick(3) }, () =>
      Array.from({ length: 1 + pick(3) }, () => pieces[pick(pieces.length)]).join(['', ' ', '-'][pick(3)]),
    )
    return `/srv/${names.join('/')}/${index}`
  })
}
