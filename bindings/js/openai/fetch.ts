// heedFetch(model): a `fetch` that answers as OpenAI's server does, for OpenAI's own client and others.
import type { WebAbortSignal, WebRequest, WebResponse, WebUrl } from '../web-types.js'
import { openai, type OpenAIClient } from './client.js'
import type { Models } from './directory.js'
import { answerOf, NotFoundError, ParameterError } from './errors.js'
import { CompletionStream } from './stream.js'

/** Of `fetch`, as far as it is used. */
export type HeedFetch = (
  input: string | WebUrl | WebRequest,
  init?: { readonly method?: string, readonly body?: any, readonly signal?: WebAbortSignal | null },
) => Promise<WebResponse>

/**
 * A `fetch` that answers POST /chat/completions (as JSON, or as server-sent events), /completions and /embeddings and GET /models,
 * whatever stands before these in the address; nothing goes over a network:
 *
 *     const client = new OpenAI({ apiKey: 'none', baseURL: 'https://heed.local/v1', fetch: heedFetch(model) })
 *
 * In a page, OpenAI's client asks for `dangerouslyAllowBrowser: true`; there is no key that could leak.
 */
export function heedFetch(models: Models): HeedFetch {
  const client = openai(models)
  return async (input, init = {}) => {
    const signal = init.signal ?? (input as Partial<Request>).signal
    const request = new Request(input, { ...init, signal: null })
    try {
      const answer = await respond(client, request, signal)
      return answer instanceof CompletionStream ? events(answer, signal) : Response.json(answer)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const { status, body } = answerOf(error)
      return Response.json(body, { status, headers: { 'x-should-retry': 'false' } })
    }
  }
}

const path = /\/(chat\/completions|completions|embeddings|models)$/

async function respond(client: OpenAIClient, request: Request, signal: AbortSignal | undefined): Promise<unknown> {
  const { chat, completions, embeddings, models } = client
  const { pathname } = new URL(request.url)
  const asked = `${request.method} ${path.exec(pathname)?.[1]}`
  if (asked === 'GET models') return models.list()
  const call: any = {
    'POST chat/completions': chat.completions, 'POST completions': completions, 'POST embeddings': embeddings,
  }[asked]
  if (!call) throw new NotFoundError('url', `there is no ${request.method} ${pathname}`, 'unsupported')
  const body: unknown = await request.json().catch((cause: Error) => {
    throw new ParameterError('body', `it is no JSON: ${cause.message}`)
  })
  return call.create(body, { signal })
}

/** Server-sent events: a chunk each, and a last one that says so. */
function events(stream: CompletionStream<unknown>, signal: AbortSignal | undefined): Response {
  const chunks = stream[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const event = (data: string) => encoder.encode(`data: ${data}\n\n`)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (signal?.aborted) throw signal.reason
        controller.enqueue(event(done ? '[DONE]' : JSON.stringify(value)))
        if (done) controller.close()
      } catch (error) {
        if (signal?.aborted) return controller.error(signal.reason)
        controller.enqueue(event(JSON.stringify(answerOf(error).body)))
        controller.close()
      }
    },
    cancel() {
      stream.controller.abort()
    },
  }, { highWaterMark: 0 })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}
