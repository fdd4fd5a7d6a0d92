import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MockRequest {
  path: string
  body: Record<string, unknown>
}

export type MockAnswer =
  | { text: string }
  | { toolCall: { name: string; arguments: Record<string, unknown> } }
  | { status: number; body: unknown; headers?: Record<string, string> }
  | { hang: true }

/** A model server on loopback that speaks OpenAI chat completions, streamed; the answers are the test's. */
export class MockModel {
  readonly requests: MockRequest[] = []
  readonly #answer: (request: MockRequest, index: number) => MockAnswer | Promise<MockAnswer>
  readonly #server: Server

  constructor(answer: (request: MockRequest, index: number) => MockAnswer | Promise<MockAnswer>) {
    this.#answer = answer
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>
    const asked = { path: request.url ?? '', body }
    this.requests.push(asked)
    const answer = await this.#answer(asked, this.requests.length - 1)
    if ('hang' in answer) return
    if ('status' in answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(JSON.stringify(answer.body))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const delta =
      'text' in answer
        ? { role: 'assistant', content: answer.text }
        : {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                index: 0,
                id: `call_${this.requests.length}`,
                type: 'function',
                function: {
                  name: answer.toolCall.name,
                  arguments: JSON.stringify(answer.toolCall.arguments),
                },
              },
            ],
          }
    const event = (value: unknown): boolean => response.write(`data: ${JSON.stringify(value)}\n\n`)
    const piece = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'mock' }
    event({ ...piece, choices: [{ index: 0, delta, finish_reason: null }] })
    event({
      ...piece,
      choices: [{ index: 0, delta: {}, finish_reason: 'text' in answer ? 'stop' : 'tool_calls' }],
    })
    event({ ...piece, choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })
    response.end('data: [DONE]\n\n')
  }
}
