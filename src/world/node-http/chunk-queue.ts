type Ending = { kind: 'ended' } | { kind: 'failed'; error: Error }

const fullBytes = 1024 * 1024

/** Between a connection that pushes and a reader that pulls. What came before a failure is still handed out. */
export class ChunkQueue {
  /** Called when a full queue has been read empty. */
  onEmptied: () => void = () => {}
  readonly #chunks: Uint8Array[] = []
  #sizeBytes = 0
  #ending: Ending | undefined
  #wake: () => void = () => {}

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#sizeBytes += chunk.length
    this.#wake()
  }

  get isFull(): boolean {
    return this.#sizeBytes >= fullBytes
  }

  /** The first ending stays. */
  finish(ending: Ending): void {
    this.#ending ??= ending
    this.#wake()
  }

  async *read(): AsyncIterable<Uint8Array> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk) {
        this.#sizeBytes -= chunk.length
        if (this.#chunks.length === 0) this.onEmptied()
        yield chunk
      } else if (this.#ending?.kind === 'failed') {
        throw this.#ending.error
      } else if (this.#ending) {
        return
      } else {
        await new Promise<void>(resolve => (this.#wake = resolve))
      }
    }
  }
}
