import { type Check, few, isTrue, quoted } from '../check.ts'
import { buyViewsIn } from './buy-views.ts'
import { factTag, isFactHeading, isJudgmentHeading, judgmentTag } from './judgments.ts'
import { withoutQuotations } from './quotations.ts'
import { type Statement, statementsOf } from './statements-of.ts'

/** Facts and judgments stand apart, by heading or by tag, and nothing under facts judges. */
export const factsAndJudgments: Check = {
  name: 'factsAndJudgments',
  takes: 'true',
  isArgument: isTrue,
  problems(text, context) {
    const statements = statementsOf(withoutQuotations(text, context))
    const told = statements.map(one => ({ one, kind: kindOf(one) }))
    const isByHeading = statements.some(({ headings }) => headings.some(isJudgmentHeading))
    const missing = (['fact', 'judgment'] as const).filter(kind => !told.some(each => each.kind === kind))
    if (missing.length > 0) return [`does not tell facts from judgments: ${missing.map(howTo).join(' and ')}`]
    const judging = told.filter(({ one, kind }) => kind === 'fact' && judgingLine(one) !== undefined)
    const untold = told.filter(
      ({ one, kind }) => !isByHeading && kind === undefined && judgingLine(one) !== undefined,
    )
    return [
      ...problem(
        judging.map(({ one }) => one),
        'judge under facts',
        'move them to the judgments, or quote who says so',
      ),
      ...problem(
        untold.map(({ one }) => one),
        'judge without the tag',
        'begin each with "Judgment:"',
      ),
    ]
  },
}

function howTo(kind: 'fact' | 'judgment'): string {
  return kind === 'fact'
    ? 'put facts under "## Facts" or begin them with "Fact:"'
    : 'put judgments under "## Judgments" or begin them with "Judgment:"'
}

function problem(found: readonly Statement[], fault: string, remedy: string): string[] {
  if (found.length === 0) return []
  const lines = few(
    found.map(one => quoted(judgingLine(one) ?? '')),
    3,
  )
  return [`has ${found.length} statements that ${fault}: ${lines}; ${remedy}`]
}

/** The innermost sign counts: a tag before a heading. */
function kindOf({ lines, headings }: Statement): 'fact' | 'judgment' | undefined {
  if (lines.some(line => judgmentTag.test(line))) return 'judgment'
  if (lines.some(line => factTag.test(line))) return 'fact'
  const nearest = headings.findLast(heading => isJudgmentHeading(heading) || isFactHeading(heading))
  if (nearest === undefined) return undefined
  return isJudgmentHeading(nearest) ? 'judgment' : 'fact'
}

const english =
  /\b(?:likely|unlikely|probably|presumably|should|might|we (?:think|believe|expect|see|judge)|i (?:think|believe|expect)|in (?:our|my) (?:view|opinion)|appears? to|seems?|bullish|bearish|recommend(?:s|ed)?|overbought|oversold|overvalued|undervalued|attractive)\b/i
const chinese =
  /大概率|小概率|可能会|或将|料将|有望|应该|看好|看空|看多|看涨|看跌|利好|利空|建议|我们?认为|我们?判断|倾向于|值得关注|似乎|恐将|超买|超卖|高估|低估/
/** Somebody else judges, and is named. */
const attributed =
  /\b(?:said|says|told|according to|wrote|writes|reported|warned)\b|表示|称|指出|(?<![数证依根])据|报道/i

/** The first line that judges in its own voice. */
function judgingLine({ kind, lines }: Statement): string | undefined {
  if (kind === 'heading') return undefined
  return lines.find(
    line => (english.test(line) || chinese.test(line) || buyViewsIn(line) > 0) && !attributed.test(line),
  )
}
