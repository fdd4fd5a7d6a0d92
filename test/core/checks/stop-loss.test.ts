import assert from 'node:assert/strict'
import { test } from 'node:test'
import { item, problems } from './gathered.ts'

const stop = (text: string): string[] => problems({ stopLoss: true }, text)

const without = [
  'Buy NVDA at 180, target 200',
  '- **X**: buy, confidence 70',
  '建议买入贵州茅台，目标价1800',
  '看好，加仓半导体ETF',
  '| name | view | stop-loss |\n|---|---|---|\n| A | buy | - |',
  '| name | view |\n|---|---|\n| A | Strong Buy |',
  '- Buy A at 10, stop-loss 9.5\n- Buy B at 20',
  'Go long gold at 2400',
  'Long NVDA',
  '**Buy NVDA at 180**',
  '## Buy\n- NVDA at 180, target 200',
  '## 买入\n- 茅台 目标1800',
  'If it breaks 10 then buy; stop-loss: none. Target 12',
  '- Views\n  - buy A, stop-loss 9\n  - buy B at 3',
  'Accumulate copper on dips',
  'Overweight energy',
  'Buy view: NVDA at 180',
  '做多黄金，止损位待定，目标2500',
  '> Buy NVDA now',
  'Buy A at 10, stop-loss 9. Buy B at 20.',
  '```\nBuy NVDA at 180\n```',
  '- Do not chase; buy at 10',
  'Entry | buy',
  'Rating: Buy',
  '操作：逢低买入',
  '开多原油，止损无',
  'Buy. Stop-loss later at target 12',
  '若站稳3200则做多',
  '- A\n\n  buy at 10',
  'add to positions in gold',
  'Strong buy. Confidence 80',
  '推荐买入，置信度80',
  'I recommend buying NVDA here.',
  'Add NVDA at 180',
  '维持买入评级',
  '继续持有并逢低加仓',
  'Upgrade to buy: NVDA, target 200',
  'Stop-loss to be decided. Buy at 10',
  '买入A，止损位见明日，目标价12元',
  '不要犹豫，买入A',
  'Do not wait: buy A at 10',
  '可以逢低吸纳，目标 12 元',
  'Start building a position here',
  'Buy signal: gold at 2400',
  'Buy\n---\n\nNVDA at 180. Buy it.',
]

const fine = [
  'Buy NVDA at 180, stop-loss 172',
  'No buy view today.',
  'Do not buy here.',
  'Northbound net buying 3.2bn',
  'Company announced a 5bn buyback',
  'Long-term rates rose',
  'as long as 10 holds',
  '不建议买入',
  '北向资金净买入32亿',
  '股东增持计划公告',
  '融资买入额上升',
  '- **A: buy at 10**\n  - stop-loss: 9.5\n  - confidence: 70',
  '| name | view | stop-loss |\n|---|---|---|\n| A | buy | 9.8 |\n| B | hold | - |',
  '买入A，止损9.8元',
  '跌破9.8元止损，买入条件不变',
  'The analyst wrote “buy NVDA now” today',
  'Never buy without a stop-loss.',
  'buy views: none',
  '买入观点：无',
  '暂不买入',
  '[Broker upgrades NVDA to buy](https://x.test/1)',
  '- A: buy at 10.\n- Stop-loss: 9.5',
  'Buy A at 10\n\nStop-loss: 9',
  '主力资金加仓半导体',
  'Should we buy NVDA?',
  'if close above 10 then buy; 5% stop; confidence 70',
  '做多黄金 止损位: 2380',
  'long queues at ports',
  '## Buy\n- none',
  'too early to buy',
  'Inventories accumulate',
  'Neither buy nor sell.',
  '没有买入建议',
  'Buy at 10 with a hard stop at 9.5',
  '没有止损不买入',
  'Hold A, stop-loss 9',
  'Sell B at 20',
  '北向资金连续净买入',
  '做多情绪回落',
  'buy ideas: 0',
  'long position reduced in oil',
  '建仓成本约10元',
  '龙虎榜显示机构买入3亿',
  '央行增持黄金',
  'A buy view needs a stop-loss.',
  'Long bonds fell',
  'Stop-loss 9.8: buy at 10 if it holds',
  '| name | view |\n|---|---|\n| A | no buy |',
]

test('each buy view without a stop-loss is told, in English and Chinese, in lists, tables, headings and fences', () => {
  for (const text of without) assert.equal(stop(text).length, 1, text)
})

test('a view with its stop-loss passes, and so does what is no view of ours', () => {
  for (const text of fine) assert.deepEqual(stop(text), [], text)
})

test('the message quotes the line and says what to do', () => {
  const [told] = stop('- Buy A at 10, stop-loss 9.5\n- Buy B at 20')
  assert.equal(
    told,
    'has 1 buy views without a stop-loss: "- Buy B at 20"; write a level such as "stop-loss 9.80" in the same line, or take the view out',
  )
})

test('what was gathered is a quotation, what is said beside it is not', () => {
  const evidence = [item(9, { title: 'Broker tells clients to buy gold now' })]
  const link = `- [${evidence[0]!.title}](${evidence[0]!.url})`
  assert.deepEqual(problems({ stopLoss: true }, `${link} (S0)`, evidence), [])
  assert.equal(problems({ stopLoss: true }, `${link}: buy gold at 2400`, evidence).length, 1)
})

test('a stop-loss anywhere in the text, the broken twin, lets a bare view through', () => {
  const text = '- Buy A at 10, stop-loss 9.5\n- Buy B at 20'
  const twin = (said: string): boolean => !/\bbuy\b/i.test(said) || /stop-loss\s*\d/i.test(said)
  assert.ok(twin(text))
  assert.equal(stop(text).length, 1)
})
