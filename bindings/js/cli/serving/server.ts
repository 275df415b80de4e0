// An HTTP server on the loopback address that answers with a `fetch`. Bodies are limited; closing a connection ends its answer.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { HeedError } from 'heed'
import type { HeedFetch } from 'heed/openai'
import { corsHeaders, type Guard, type Refusal, refusalOf } from './guard.js'

/** Large enough for images, which are in bodies as Base64. */
const mostBytes = 2 ** 27

export interface Server {
  readonly port: number
  /** Ends all connections, and with them their answers. */
  close(): Promise<void>
}

/** Starts a server. Throws `io` if the port is taken. */
export async function startServer(fetch: HeedFetch, { port, ...guard }: Guard & { readonly port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    answer(fetch, guard, request, response).catch(() => response.destroy()) // the client has disconnected
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new HeedError('io', error.code === 'EADDRINUSE' ? `port ${port} is taken; --port names another` : error.message)
  })
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(fetch: HeedFetch, guard: Guard, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = corsHeaders(request, guard)
  const refusal = refusalOf(request, guard)
  if (refusal) return refuse(response, refusal, headers)
  if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end()
  const body = await bodyOf(request)
  if (!body)
    return refuse(response, { status: 413, code: 'body_too_large', message: `a body has at most ${mostBytes} bytes` }, headers)
  const stop = new AbortController()
  response.once('close', () => stop.abort()) // no effect if the answer is complete
  const { method = 'GET', url = '/' } = request
  const type = request.headers['content-type'] // of a form, names what separates its fields
  const answered = (await fetch(`http://127.0.0.1${url}`, {
    method,
    signal: stop.signal,
    ...(type !== undefined && { headers: { 'Content-Type': type } }),
    ...(method !== 'GET' && { body }),
  })) as Response
  response.writeHead(answered.status, { ...Object.fromEntries(answered.headers), ...headers, 'Cache-Control': 'no-store' })
  for await (const bytes of answered.body ?? []) {
    if (!response.write(bytes)) await once(response, 'drain', { signal: stop.signal })
  }
  response.end()
}

/** The body of a request. If it is too large, reading stops, and this is undefined. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length']) > mostBytes) return undefined
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > mostBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Closes the connection, because the rest of the request is not read. */
function refuse(response: ServerResponse, { status, code, message }: Refusal, headers: Record<string, string>): void {
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } })
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json',
    Connection: 'close',
    'x-should-retry': 'false',
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  })
  response.end(body)
}
