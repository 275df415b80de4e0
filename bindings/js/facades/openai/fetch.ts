// heedFetch(model): a `fetch` that responds like OpenAI's server, for OpenAI's own client and others.
import type { WebAbortSignal, WebRequest, WebResponse, WebUrl } from '../../types/web.js'
import { openai, type OpenAIClient } from './client.js'
import type { Models } from './directory.js'
import { answerOf, NotFoundError, ParameterError } from './errors.js'
import type { ClientOptions } from './types.js'
import { CompletionStream } from './stream.js'

/** The supported part of `fetch`. */
export type HeedFetch = (
  input: string | WebUrl | WebRequest,
  // biome-ignore lint/suspicious/noExplicitAny: anything that the runtime's own `fetch` accepts
  init?: { readonly method?: string, readonly body?: any, readonly signal?: WebAbortSignal | null },
) => Promise<WebResponse>

/**
 * A `fetch` that answers POST /chat/completions (as JSON or server-sent events), /completions and /embeddings and GET /models,
 * with any URL before these paths; nothing goes over a network, unless `fetchImages` allows that. In a page, OpenAI's client requires
 * `dangerouslyAllowBrowser: true`; there is no key that could leak.
 *
 * @example
 * const client = new OpenAI({ apiKey: 'none', baseURL: 'https://heed.local/v1', fetch: heedFetch(model) })
 */
export function heedFetch(models: Models, options?: ClientOptions): HeedFetch {
  const client = openai(models, options)
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
  // biome-ignore lint/suspicious/noExplicitAny: the signatures differ, and each call checks its parameters
  const call: any = {
    'POST chat/completions': chat.completions, 'POST completions': completions, 'POST embeddings': embeddings,
  }[asked]
  if (!call) throw new NotFoundError('url', `unknown endpoint ${request.method} ${pathname}`, 'unsupported')
  const body: unknown = await request.json().catch((cause: Error) => {
    throw new ParameterError('body', `not valid JSON: ${cause.message}`)
  })
  return call.create(body, { signal })
}

/** Server-sent events: one per chunk, then `[DONE]`. */
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
