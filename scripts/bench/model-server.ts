// A model that answers at once, for the bench: node --import tsx scripts/bench/model-server.ts PORT
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const answer = 'Hello from the model server.'
const piece = { id: 'answer', object: 'chat.completion.chunk', created: 0, model: 'mock' }
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** OpenAI chat completions, streamed or whole; any other address is 404. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
    response.writeHead(404).end()
    return
  }
  const isStreamed = Buffer.concat(chunks).includes('"stream":true')
  if (isStreamed) stream(response)
  else whole(response)
}

function stream(response: ServerResponse): void {
  const events = [
    { ...piece, choices: [{ index: 0, delta: { role: 'assistant', content: answer }, finish_reason: null }] },
    { ...piece, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...piece, choices: [], usage },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end('data: [DONE]\n\n')
}

function whole(response: ServerResponse): void {
  const message = { role: 'assistant', content: answer }
  const body = {
    ...piece,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const port = Number(process.argv[2] ?? 0)
const server = createServer((request, response) => void serve(request, response))
server.keepAliveTimeout = 1000
server.listen(port, '127.0.0.1', () => console.log(`model server on ${JSON.stringify(server.address())}`))
