import type { FailureClass } from '../../core/failure.ts'
import { noUsage, type Usage } from '../../core/message.ts'

export type DraftPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; thinkingSignature?: string }
  /** Arguments as the text that has come so far. */
  | { type: 'toolCall'; id: string; name: string; argumentsText: string }

export interface DraftFault {
  why: FailureClass
  detail: string
}

type Finish = 'stop' | 'length'

/** An answer while it streams in. Dialects fill it, `settled` judges it. */
export class AnswerDraft {
  readonly parts: DraftPart[] = []
  usage: Usage = noUsage
  /** How the provider says it ended; undefined until its end marker has come. */
  finish: Finish | undefined
  /** Nothing more is awaited, not even usage. */
  isClosed = false
  fault: DraftFault | undefined
  /** Words in which the model declined, where an API keeps them apart. */
  refusal = ''
  readonly #byKey = new Map<string, DraftPart>()
  readonly #onText: (delta: string) => void

  constructor(onText: (delta: string) => void = () => {}) {
    this.#onText = onText
  }

  /** `key` tells parts apart that arrive interleaved. */
  addText(key: string, delta: string): void {
    const part = this.#part(`text ${key}`, () => ({ type: 'text', text: '' }))
    if (part.type !== 'text' || delta === '') return
    part.text += delta
    this.#onText(delta)
  }

  addThinking(key: string, delta: string, signature = ''): void {
    const part = this.#part(`thinking ${key}`, () => ({ type: 'thinking', thinking: '' }))
    if (part.type !== 'thinking') return
    part.thinking += delta
    if (signature !== '') part.thinkingSignature = (part.thinkingSignature ?? '') + signature
  }

  addCall(key: string, piece: { id?: string; name?: string; argumentsText?: string }): void {
    const part = this.#part(`call ${key}`, () => ({ type: 'toolCall', id: '', name: '', argumentsText: '' }))
    if (part.type !== 'toolCall') return
    part.id ||= piece.id ?? ''
    part.name ||= piece.name ?? ''
    part.argumentsText += piece.argumentsText ?? ''
  }

  /** For a dialect that sends the whole of a part once more at its end. */
  setCallArguments(key: string, argumentsText: string): void {
    const part = this.#byKey.get(`call ${key}`)
    if (part?.type === 'toolCall' && argumentsText !== '') part.argumentsText = argumentsText
  }

  has(kind: DraftPart['type'], key: string): boolean {
    return this.#byKey.has(`${kind === 'toolCall' ? 'call' : kind} ${key}`)
  }

  callId(key: string): string {
    const part = this.#byKey.get(`call ${key}`)
    return part?.type === 'toolCall' ? part.id : ''
  }

  /** The first fault stays. */
  fail(why: FailureClass, detail: string): void {
    this.fault ??= { why, detail }
    this.isClosed = true
  }

  get text(): string {
    return this.parts.map(part => (part.type === 'text' ? part.text : '')).join('')
  }

  #part(key: string, make: () => DraftPart): DraftPart {
    const known = this.#byKey.get(key)
    if (known) return known
    const part = make()
    this.#byKey.set(key, part)
    this.parts.push(part)
    return part
  }
}
