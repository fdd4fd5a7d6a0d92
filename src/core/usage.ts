import type { Usage } from './message.ts'

/** US dollars for a million tokens. */
export interface Price {
  in: number
  out: number
  cacheRead?: number
  cacheWrite?: number
}

/** With cost where the price is known. Cached tokens without a price of their own cost what input costs. */
export function pricedUsage(usage: Usage, price: Price | undefined): Usage {
  if (price === undefined) return usage
  const input = dollars(usage.input, price.in)
  const output = dollars(usage.output, price.out)
  const cacheRead = dollars(usage.cacheRead, price.cacheRead ?? price.in)
  const cacheWrite = dollars(usage.cacheWrite, price.cacheWrite ?? price.in)
  return {
    ...usage,
    cost: { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite },
  }
}

function dollars(tokens: number, perMillion: number): number {
  return (tokens * perMillion) / 1_000_000
}

/** The sum. Its cost is known only where the cost of every part that used tokens is. */
export function addUsage(left: Usage, right: Usage): Usage {
  const sum: Usage = {
    input: left.input + right.input,
    output: left.output + right.output,
    cacheRead: left.cacheRead + right.cacheRead,
    cacheWrite: left.cacheWrite + right.cacheWrite,
    totalTokens: left.totalTokens + right.totalTokens,
  }
  const a = costOf(left)
  const b = costOf(right)
  if (a === undefined || b === undefined) return sum
  return {
    ...sum,
    cost: {
      input: a.input + b.input,
      output: a.output + b.output,
      cacheRead: a.cacheRead + b.cacheRead,
      cacheWrite: a.cacheWrite + b.cacheWrite,
      total: a.total + b.total,
    },
  }
}

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }

function costOf(usage: Usage): Usage['cost'] {
  return usage.cost ?? (usage.totalTokens === 0 ? noCost : undefined)
}
