// Chats of a model and its sessions: checks and copies arguments at the call. The rest is a separate script, loaded at the first
// chat.
import type { ChatMessage } from '../../chat/types.js'
import type { ModelInfo } from '../../types/index.js'
import type { SoFar } from '../../types/schema.js'
import { HeedError, refuse } from '../../wire/errors.js'
import type { Outline } from '../../wire/constraint.js'
import type { PageEngine } from '../connection.js'
import { Feed } from '../feed.js'
import { withConstraint } from '../with-constraint.js'
import { Generation } from '../generation.js'
import { template as readTemplate } from '../kinds.js'
import { readOptions } from '../options.js'
import { parsedSoFar } from '../parsed.js'
import { mediaParts } from '../pictures.js'
import { matched } from '../readers.js'
import { randomSeed } from '../seed.js'
import { jinjaOf } from './jinja-of.js'
import type { ChatOptions } from './chat-options.generated.js'
import type { ChatEvent, ChatResult } from './messages.js'
import { readMessages } from './read-messages.js'
import { readRendering } from './rendering.js'
import type { ChatRequest, ChatWriter } from './request.js'
import { chatScript, converseScript } from './scripts.js'
import type { ModelTemplate } from './model-template.js'
import { offers } from './tools.js'

/** The last message, as far as it has been generated. */
interface Written {
  readonly constraint?: Outline
  text: string
  /** The parsed value; set at the end. */
  value?: unknown
}

/**
 * Iterate it for the events as they arrive, `await` it for the answer, or both. Leaving the loop early ends the answer. An abort is
 * a normal end: `finishReason` is `abort`. As with a Generation, an async function should return the chat in an object, or return
 * its `result`.
 */
export class Chat<Parsed = unknown> extends Feed<ChatEvent, ChatResult<Parsed>> {
  readonly #written: Written

  /** @internal Called by `startChat`. */
  constructor(
    run: (stop: AbortSignal, put: (event: ChatEvent) => void) => Promise<ChatResult<Parsed>>,
    constraint: Outline | undefined,
    ...signals: (AbortSignal | undefined)[]
  ) {
    const written: Written = { constraint, text: '' }
    super(
      async (stop, put) => {
        const result = await run(stop, event => {
          if (event.type === 'text') written.text += event.delta
          else if (event.type === 'tool-result') written.text = '' // another reply follows
          put(event)
        })
        written.value = result.parsed
        return result
      },
      ...signals,
    )
    this.#written = written
  }

  /** With `jsonSchema`: the value of the answer so far, like `Generation.parsed`. */
  get parsed(): SoFar<Parsed> | undefined {
    const { constraint, text, value } = this.#written
    return (value === undefined ? parsedSoFar(constraint, text) : value) as SoFar<Parsed> | undefined
  }
}

/** The writer for a chat whose signal is already aborted: generates nothing. */
const silent = (info: ModelInfo, signal: AbortSignal): ChatWriter => ({
  turn: run => run(),
  write: async (_, { seed = 0, constraint }) => ({
    generation: new Generation(
      async () => {
        throw HeedError.aborted(signal)
      },
      { seed, constraint, signal, info },
    ),
  }),
})

/** @internal Starts a chat. Throws `invalid-argument` for options and messages that are not valid. */
export function startChat<Parsed>(
  engine: PageEngine,
  info: ModelInfo,
  writer: ChatWriter,
  messages: readonly ChatMessage[],
  options?: ChatOptions,
): Chat<Parsed> {
  const { connection, renderer } = engine
  const { signal, seed = randomSeed(), template, ...read } = withConstraint('chat', readOptions('chat', options))
  const withTools = offers(read.tools, read.toolChoice)
  if (read.continueFinal && withTools && read.toolChoice !== 'auto') throw refuse('chat: a reply of calls excludes continueFinal')
  if (read.constraint && read.continueFinal) throw refuse('chat: a constraint is of a whole answer: it excludes continueFinal')
  const jinja = jinjaOf(info, template, withTools)
  const given = readMessages(messages, read.continueFinal, info, jinja)
  const media = given.media.length > 0 ? mediaParts('chat', given.media, info, engine, signal) : undefined
  media?.catch(() => {}) // a chat that waits for its turn awaits them later: until then, an error must not count as unhandled
  const request: ChatRequest = {
    ...read,
    seed,
    info,
    withTools,
    renderer,
    connection,
    media,
    messages: given.messages,
    jinja,
  }
  renderer.start() // while the script is being loaded
  return new Chat<Parsed>(
    async (stop, put) => {
      const turn = async (by: ChatWriter) => (await converseScript()).converse(request, by, stop, put)
      // A chat that is aborted while it waits ends like any other, with a result, and does not affect the session.
      const result = await writer
        .turn(() => turn(writer), stop)
        .catch((error: HeedError) => {
          if (error.code !== 'aborted') throw error
          return turn(silent(info, stop))
        })
      const gone = [connection.gone, writer.gone].find(signal => signal?.aborted && signal.reason === stop.reason)
      if (gone) throw gone.reason // disposed of, or crashed
      return result as ChatResult<Parsed>
    },
    read.constraint,
    signal,
    connection.gone,
    writer.gone,
  )
}

/** @internal A chat template of a model, given by name or as Jinja. */
export async function openTemplate(
  engine: PageEngine,
  info: ModelInfo,
  template?: ChatOptions['template'],
): Promise<ModelTemplate> {
  const jinja = jinjaOf(info, template === undefined ? template : matched('chatTemplate: template', template, readTemplate))
  engine.renderer.start() // while the script is being loaded
  return (await chatScript()).templateOf(info, jinja, engine, readRendering)
}
