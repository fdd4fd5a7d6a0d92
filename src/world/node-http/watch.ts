import { type HttpFailure, HttpError, type HttpRequest } from '../http.ts'
import { monotonicMs } from '../node-clock.ts'

/** The time limits and the abort signal of one exchange. The first failure is the only one. */
export class Watch {
  onFailure: (error: HttpError) => void = () => {}
  readonly #request: HttpRequest
  readonly #origin: string
  readonly #total: NodeJS.Timeout
  #phase: NodeJS.Timeout
  #isSent = false
  #isOver = false
  readonly #onAbort = (): void => this.fail('aborted', 'aborted')

  /** `deadline` is on the monotonic clock, in milliseconds. */
  constructor(request: HttpRequest, origin: string, deadline: number) {
    this.#request = request
    this.#origin = origin
    this.#phase = setTimeout(
      () => this.fail('connect', `no connection in ${request.connectMs} ms`),
      request.connectMs,
    )
    const left = Math.max(0, deadline - monotonicMs())
    this.#total = setTimeout(() => this.fail('total', `not done in ${request.totalMs} ms`), left)
    request.signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** The request is being written: from here on the other side may have it. */
  sent(): void {
    this.#isSent = true
    this.heard()
  }

  /** Something came: the silence starts anew. */
  heard(): void {
    this.rest()
    if (this.#isOver) return
    const { idleMs } = this.#request
    this.#phase = setTimeout(() => this.fail('idle', `silent for ${idleMs} ms`), idleMs)
  }

  /** Nothing is awaited from the other side; `heard` resumes. */
  rest(): void {
    clearTimeout(this.#phase)
  }

  fail(kind: HttpFailure, why: string, cause?: unknown): void {
    if (this.#isOver) return
    this.stop()
    this.onFailure(new HttpError(kind, `${this.#origin}: ${why}`, this.#isSent, cause))
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#phase)
    clearTimeout(this.#total)
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
  }
}
