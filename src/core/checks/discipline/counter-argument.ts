import { type Check, few, isTrue, quoted } from '../check.ts'
import { judgmentsOf } from './judgments.ts'
import { isNone, labels } from './labels.ts'
import { withoutQuotations } from './quotations.ts'
import { statementsOf } from './statements-of.ts'

/** Each judgment says what speaks against it. */
export const counterArgument: Check = {
  name: 'counterArgument',
  takes: 'true',
  isArgument: isTrue,
  problems(text, context) {
    const judgments = judgmentsOf(statementsOf(withoutQuotations(text, context)))
    const without = judgments.filter(judgment => !hasCounter(judgment.text))
    if (without.length === 0) return []
    const told = few(
      without.map(({ said }) => quoted(said)),
      3,
    )
    return [
      `has ${without.length} judgments without a counter-argument: ${told}; add "against it: ..." with what would make it wrong`,
    ]
  },
}

const counter = new RegExp(
  String.raw`(?:^|[^\p{L}])(?:${labels.counter})[*_)）\]】]{0,4}\s?(?:[:：]|\bis\b|[-–—]|为|是)?\s?([^\n|]{0,80})`,
  'giu',
)

/** Empty words are none. */
function hasCounter(text: string): boolean {
  return [...text.matchAll(counter)].some(([, said = '']) => {
    const letters = said.replace(/[^\p{L}\p{N}]/gu, '')
    const isWordy = /\p{Script=Han}/u.test(letters) ? letters.length >= 4 : letters.length >= 8
    return isWordy && !isNone(said.trim())
  })
}
