import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interestScore, interestWeights, isAboutAi, starsOf } from '../../src/core/interest.ts'

const scores: [title: string, summary: string, score: number][] = [
  ['An agent', '', 3],
  ['Agents and AGENTS', 'one more agent', 3],
  ['A multi-agent system', '', 3],
  ['A multi agent system with another agent', '', 6],
  ['Model Context Protocols', '', 3],
  ['Memories and ontologies', '', 4],
  ['基于LLM的多智能体', '', 4],
  ['ＬＬＭ in full width', '', 1],
  ['Function  calling', 'in production', 4],
  ['GPT-5 and gpt', '', 1],
  ['Reagents, storage, fragments, rags-to-riches', 'vectorial, cursory, skilled', 2],
  ['', '', 0],
]

function wrongOf(score: typeof interestScore): string[] {
  return scores
    .filter(([title, summary, expected]) => score(title, summary) !== expected)
    .map(([title]) => title)
}

test('whole keywords are weighed, each once', () => {
  assert.deepEqual(wrongOf(interestScore), [])
})

test('the table catches a score by parts of words', () => {
  assert.ok(wrongOf(bySubstring).includes('Reagents, storage, fragments, rags-to-riches'))
})

test('a text of nothing but keywords is capped', () => {
  assert.equal(interestScore(interestWeights[3].join(' '), interestWeights[2].join(' ')), 15)
})

test('a star for every three points, from one to five', () => {
  assert.deepEqual([0, 2, 3, 5, 6, 8, 9, 11, 12, 15, 99].map(starsOf), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5])
})

test('about AI or not, by whole words', () => {
  for (const text of ['An AI tool', 'llm-powered', 'machine learning in Rust', '人工智能入门'])
    assert.ok(isAboutAi(text), text)
  for (const text of ['email client', 'html in a container', 'a list of CVEs', 'waiting'])
    assert.ok(!isAboutAi(text), text)
})

function bySubstring(title: string, summary: string): number {
  const text = `${title} ${summary}`.toLowerCase()
  const weights = [1, 2, 3] as const
  return weights.reduce(
    (sum, weight) => sum + weight * interestWeights[weight].filter(word => text.includes(word)).length,
    0,
  )
}
