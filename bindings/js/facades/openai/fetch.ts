// heedFetch(model): a `fetch` that responds like OpenAI's server, for OpenAI's own client and others.
import { onAbort } from '../../page/on-abort.js'
import type { WebAbortSignal, WebRequest, WebResponse, WebUrl } from '../../types/web.js'
import { clientOf, type OpenAIClient } from './client.js'
import { directoryOf, type Models } from './directory.js'
import { answerOf, NotFoundError, ParameterError } from './errors.js'
import { readClientOptions } from './images.js'
import { readOptions } from './read.js'
import type { ClientOptions } from './types.js'
import { CompletionStream } from './stream.js'

/** The supported part of `fetch`. */
export type HeedFetch = (
  input: string | WebUrl | WebRequest,
  // biome-ignore lint/suspicious/noExplicitAny: anything that the runtime's own `fetch` accepts
  init?: { readonly method?: string; readonly headers?: any; readonly body?: any; readonly signal?: WebAbortSignal | null },
) => Promise<WebResponse>

/**
 * A `fetch` that answers POST /audio/transcriptions (a form), POST /chat/completions and /responses (as JSON or server-sent
 * events), /completions and /embeddings, GET /models and /models/ID, and GET, DELETE and POST /cancel of a response, with any URL
 * before these paths. Nothing goes over a network, unless `fetchImages` allows it. Headers `x-heed-warning` of the response name
 * parameters that have no effect. In a page, OpenAI's client requires `dangerouslyAllowBrowser: true`; there is no key that could
 * leak.
 *
 * @example
 * const client = new OpenAI({ apiKey: 'none', baseURL: 'https://heed.local/v1', fetch: heedFetch(model) })
 */
export function heedFetch(models: Models, options?: ClientOptions): HeedFetch {
  const directory = directoryOf(models)
  const given = readClientOptions(options)
  return async (input, init = {}) => {
    const signal = init.signal ?? (input as Partial<Request>).signal
    const request = new Request(input, { ...init, signal: null })
    const headers = new Headers()
    const client = clientOf(directory, {
      ...given,
      onWarning(warning) {
        headers.append('x-heed-warning', warning.message)
        given.onWarning?.(warning)
      },
    })
    try {
      const answer = await respond(client, request, signal)
      if (typeof answer === 'string')
        return new Response(answer, { headers: { ...Object.fromEntries(headers), 'Content-Type': 'text/plain; charset=utf-8' } })
      return answer instanceof CompletionStream ? events(answer, signal, headers) : Response.json(answer, { headers })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const { status, body } = answerOf(error)
      headers.set('x-should-retry', 'false')
      return Response.json(body, { status, headers })
    }
  }
}

/** The maximum length of a request's body, in bytes; large because it contains images as Base64. */
const mostBytes = 2 ** 27

/** The path of a model, after any URL, unless it is one of the endpoints. */
const modelPath = /\/(models)\/([^/]+)$/
/** The paths of the endpoints, after any URL. The inner groups are a response's id and `/cancel`. */
const path = /\/(audio\/transcriptions|chat\/completions|completions|embeddings|models|responses(?:\/([^/]+)(\/cancel)?)?)$/

/** The id in an address, decoded; unchanged if it is not validly encoded. */
function idIn(given = ''): string {
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}

async function respond(client: OpenAIClient, request: Request, signal: AbortSignal | undefined): Promise<unknown> {
  const { audio, chat, completions, embeddings, models, responses } = client
  const { pathname, searchParams } = new URL(request.url)
  const [, asked = '', given, cancel = ''] = path.exec(pathname) ?? modelPath.exec(pathname) ?? []
  const id = idIn(given)
  // biome-ignore lint/suspicious/noExplicitAny: the signatures differ, and each call checks its parameters
  const create = async ({ create }: { create: any }) => create(await bodyOf(request, readOptions({ signal }).signal), { signal })
  const endpoints: Record<string, () => Promise<unknown>> = {
    'GET models': () => models.list(),
    'GET models/ID': () => models.retrieve(id),
    'POST chat/completions': () => create(chat.completions),
    'POST completions': () => create(completions),
    'POST embeddings': () => create(embeddings),
    'POST audio/transcriptions': async () => audio.transcriptions.create((await formOf(request)) as never, { signal }),
    'POST responses': () => create(responses),
    'GET responses/ID': () => responses.retrieve(id, { stream: (searchParams.get('stream') === 'true') as false }),
    'DELETE responses/ID': () => responses.delete(id),
    'POST responses/ID/cancel': () => responses.cancel(id),
  }
  const answer = endpoints[`${request.method} ${given ? `${asked.split('/')[0]}/ID${cancel}` : asked}`]
  if (!answer) throw new NotFoundError('url', `unknown endpoint ${request.method} ${pathname}`, 'unsupported')
  return answer()
}

/** A request's body, parsed as JSON. Throws a ParameterError for a body over `mostBytes`. An abort of `signal` ends the reading. */
async function bodyOf(request: Request, signal: AbortSignal | undefined): Promise<unknown> {
  const reader = (request.body ?? (await wholeBody(request))).getReader()
  const decoder = new TextDecoder()
  const ended = onAbort(signal, () => void reader.cancel().catch(() => {})) // which ends the reading
  let [text, bytes] = ['', 0]
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return JSON.parse(text + decoder.decode())
      bytes += value.byteLength
      if (bytes > mostBytes) throw new TypeError(`it is longer than ${mostBytes} bytes`)
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    throw new ParameterError('body', `not valid JSON: ${(error as Error).message}`)
  } finally {
    ended()
    void reader.cancel().catch(() => {})
  }
}

/** A stream of the body where `Request.body` is absent: if the body is empty, and always in Firefox. */
const wholeBody = async (request: Request) => (await request.blob()).stream()
/** The fields of a form: a name that ends with [] has a list, and numbers are text. */
async function formOf(request: Request): Promise<Record<string, unknown>> {
  const form = await request.formData().catch(error => {
    throw new ParameterError('body', `not a form: ${(error as Error).message}`)
  })
  const fields: Record<string, unknown> = {}
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    if (name.endsWith('[]')) fields[name.slice(0, -2)] = values
    else fields[name] = name === 'temperature' ? Number(values[0]) : name === 'stream' ? values[0] === 'true' : values[0]
  }
  return fields
}

/** Server-sent events: one per chunk, then `[DONE]`. As in OpenAI's API, events of /responses have names, and no `[DONE]`. */
function events(stream: CompletionStream<{ type?: string }>, signal: AbortSignal | undefined, headers: Headers): Response {
  const chunks = stream[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const event = (data: string, type?: string) => encoder.encode(`${type ? `event: ${type}\n` : ''}data: ${data}\n\n`)
  let isNamed = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (signal?.aborted) throw signal.reason
          isNamed ||= value?.type !== undefined
          if (!done) controller.enqueue(event(JSON.stringify(value), value.type))
          else if (!isNamed) controller.enqueue(event('[DONE]'))
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
    },
    { highWaterMark: 0 },
  )
  headers.set('Content-Type', 'text/event-stream')
  return new Response(body, { headers })
}
