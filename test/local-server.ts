import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A real server on the loopback interface, gone when the test ends. Returns its origin. */
export async function localServer(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  t.after(() => closed(server))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${portOf(server)}`
}

/** An origin on which nobody listens. */
export async function refusedOrigin(): Promise<string> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise(resolve => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

export function portOf(server: Server): number {
  const address = server.address() as AddressInfo
  return address.port
}

function closed(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(resolve))
}
