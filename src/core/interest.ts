/** What the team looks for, by weight; `s`, `es` and `ies` plurals are understood. */
export const interestWeights: Readonly<Record<1 | 2 | 3, readonly string[]>> = {
  3: [
    'agent',
    'agentic',
    'multi-agent',
    'mcp',
    'model context protocol',
    'skill',
    'openclaw',
    'claude code',
    'codex',
    'cursor',
    'workflow',
    'orchestration',
    '智能体',
    '工作流',
  ],
  2: [
    'rag',
    'retrieval',
    'embedding',
    'vector',
    'memory',
    'knowledge graph',
    'ontology',
    'langchain',
    'llamaindex',
    'crewai',
    'autogen',
    'tool use',
    'function calling',
    'prompt',
    'prompt engineering',
    'fine-tuning',
    'deployment',
    'production',
    'observability',
    'evaluation',
    'benchmark',
    '检索增强',
    '知识图谱',
    '向量',
    '提示词',
    '微调',
    '评测',
  ],
  1: [
    'llm',
    'gpt',
    'claude',
    'gemini',
    'transformer',
    'diffusion',
    'quantitative',
    'trading',
    'finance',
    'open source',
    'github',
    '大模型',
    '开源',
    '量化',
  ],
}

/** Words that make a text about AI at all; for pages that list everything. */
const aiWords: readonly string[] = (
  'agent|agentic|multi-agent|mcp|claude code|codex|rag|embedding|langchain|llamaindex|crewai|autogen|ai|ml|' +
  'llm|gpt|claude|gemini|transformer|diffusion|machine learning|deep learning|neural network|language model|' +
  'chatgpt|openai|anthropic|copilot|chatbot|inference|fine-tuning|llama|ollama|pytorch|tensorflow|generative|' +
  'computer vision|nlp|text-to-image|speech-to-text|stable diffusion|prompt engineering|' +
  '大模型|人工智能|智能体|机器学习|深度学习'
).split('|')

/** More than this says nothing more, and a text that repeats every keyword must not win by it. */
const scoreCap = 15

const weightOf = new Map<string, number>(
  ([3, 2, 1] as const).flatMap(weight => interestWeights[weight].map(word => [word, weight] as const)),
)
const interestWords = longestFirst([...weightOf.keys()])
const interestPattern = wordsPattern(interestWords)
const aiPattern = wordsPattern(longestFirst(aiWords))

/**
 * The weights of the different keywords in title and summary, summed, at most 15.
 * Whole words only: `agent` is not in `reagent`, `rag` not in `storage`. The
 * longest keyword at a place counts alone (`multi-agent` is not also `agent`).
 */
export function interestScore(title: string, summary: string): number {
  const found = new Set<string>()
  for (const match of `${title}\n${summary}`.normalize('NFKC').matchAll(interestPattern)) {
    found.add(keywordOf(match))
  }
  let score = 0
  for (const word of found) score += weightOf.get(word) ?? 0
  return Math.min(score, scoreCap)
}

/** 1 star, and one more for every 3 points, at most 5: 0-2, 3-5, 6-8, 9-11, 12 and more. */
export function starsOf(score: number): number {
  return Math.max(1, Math.min(5, 1 + Math.floor(score / 3)))
}

export function isAboutAi(text: string): boolean {
  return text.normalize('NFKC').search(aiPattern) !== -1
}

function keywordOf(match: RegExpExecArray): string {
  const index = match.slice(1).findIndex(group => group !== undefined)
  return interestWords[index]!
}

/** One group a word. Han, kana and hangul may touch a Latin word; Latin letters and digits may not. */
function wordsPattern(words: readonly string[]): RegExp {
  return new RegExp(words.map(word => `(${patternOf(word)})`).join('|'), 'giu')
}

function longestFirst(words: readonly string[]): string[] {
  return [...words].sort((a, b) => b.length - a.length)
}

function patternOf(word: string): string {
  if (!/[a-z]/.test(word)) return word
  const parts = word.split(/[ -]/)
  const last = parts.pop()!
  const ending = last.endsWith('y') ? `${last.slice(0, -1)}(?:y|ies)` : `${last}(?:e?s)?`
  return `(?<![a-z0-9_])${[...parts, ending].join(`[\\s\\u2010-\\u2015-]+`)}(?![a-z0-9_])`
}
