// The public class Session: a text that successive calls extend.
import type { ChatMessage } from '../chat/types.js'
import type { AppendOptions, GenerateOptions, ModelInfo, Prompt, TextImage } from '../types/index.js'
import type { ValueOf } from '../types/schema.js'
import { HeedError, refuse } from '../wire/errors.js'
import { Line } from '../wire/line.js'
import { leavesOnAbort, onAbort, unlessAborted } from './on-abort.js'
import type { Outline } from '../wire/constraint.js'
import type { Results, WritingParameters } from '../wire/protocol.js'
import { readBytes, readLength } from './arguments.js'
import { type Chat, startChat } from './chat/conversation.js'
import type { ChatOptions } from './chat/chat-options.generated.js'
import type { TypedChatOptions } from './chat/typed-options.js'
import { withCaller } from './called-from.js'
import type { PageEngine } from './connection.js'
import { makeDisposable } from './disposable.js'
import { Generation, type Write } from './generation.js'
import { withConstraint } from './with-constraint.js'
import { readOptions } from './options.js'
import { generateParameters, type GenerateRequest } from './parameters.js'
import { type PicturePrompt, readPicturePrompt, whenDecoded } from './pictures.js'
import { scored } from './scored.js'
import { imagesAmong } from './text-images.js'
import { written } from './writing.js'

type Connection = PageEngine['connection']
/** `addSpecial` may be absent: by default, special tokens are added only to an empty session. */
type SessionParameters = Omit<WritingParameters, 'addSpecial'> & { addSpecial?: boolean }
/** Callbacks while a text is read and generated. */
interface Callbacks {
  onToken?: Parameters<Write>[1]
  onImages?: Parameters<Write>[2]
  onProgress?: GenerateOptions['onProgress']
}
/** Runs a task once the session is free for it. */
type Queue = <Result>(task: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>

const dropped = new FinalizationRegistry<{ connection: Connection; id: number }>(({ connection, id }) => {
  void close(connection, id)
})

/**
 * A text that successive calls extend: a conversation, or a branch of one. Calls on one session run in order, in parallel with
 * those of other sessions and of the model. All fail with `disposed` once the session or its model has been disposed of.
 */
export class Session {
  readonly #engine: PageEngine
  readonly #info: ModelInfo
  readonly #id: number
  readonly #line = new Line()
  #tokens: readonly number[] = []
  #images: readonly TextImage[] = []
  /** Aborted by `dispose`; the reason is the `disposed` error. */
  readonly #gone = new AbortController()
  /** Whether a chat of this session is calling a tool. */
  #callsTool = false
  #disposing?: Promise<void>

  /** @internal Created by openSession and restoreSession. */
  constructor(engine: PageEngine, info: ModelInfo, id: number, tokens: ArrayLike<number> = [], images: readonly TextImage[] = []) {
    this.#engine = engine
    this.#info = info
    this.#id = id
    this.#tokens = Array.from(tokens)
    this.#images = images
    dropped.register(this, { connection: engine.connection, id }, this)
  }

  /** The tokens of the session; updated when a call ends. Tokens of images are below 0. */
  get tokens(): readonly number[] {
    return this.#tokens
  }

  /** The session's images, with the positions and patches of their tokens; updated with `tokens`. */
  get images(): readonly TextImage[] {
    return this.#images
  }

  /** The number of tokens in the session. */
  get length(): number {
    return this.#tokens.length
  }

  /**
   * Appends the prompt and continues the text, as `Model.generate` does; the session then holds the prompt and the generated
   * text. An empty prompt continues the text as it is. The tokens that the model expects around a text are added only if the
   * session is empty, unless `addSpecial` is set. After an abort, the session matches the generation's result.
   *
   * @example
   * const { text } = await session.generate('Once upon a time', { maxTokens: 40 })
   * for await (const token of session.generate('')) console.log(token.text)   // continues
   */
  generate<const Schema = unknown>(
    prompt: Prompt,
    options?: GenerateOptions & { jsonSchema?: Schema },
  ): Generation<ValueOf<Schema>> {
    const read = withConstraint('generate', readOptions('generate', options))
    return this.#generate(readPicturePrompt('generate', prompt, this.#info, this.#engine, read.signal), read, this.#queue)
  }

  /**
   * Answers a conversation, as `Model.chat` does, and keeps it: the next turn reads only the new messages. Always pass the whole
   * conversation. If earlier messages have changed, the session keeps the common prefix and drops the rest. A turn with all its
   * steps and tools is one call: later calls wait for its end, so a tool must not wait for its own session.
   *
   * @example
   * const messages: ChatMessage[] = [{ role: 'user', content: 'Good morning!' }]
   * const { message } = await session.chat(messages)
   * messages.push(message, { role: 'user', content: 'How are you?' })
   * await session.chat(messages)
   */
  chat<const Schema = unknown, const Parameters extends readonly unknown[] = readonly unknown[]>(
    messages: readonly ChatMessage[],
    options?: TypedChatOptions<Schema, Parameters>,
  ): Chat<ValueOf<Schema>> {
    return startChat(
      this.#engine,
      this.#info,
      {
        // The whole turn is one task, so its parts must not queue.
        turn: this.#queue,
        write: async (prompt, read) => ({
          generation: this.#generate(prompt, { ...read, addSpecial: false }, task => task(), true),
        }),
        gone: this.#gone.signal,
        calling: isCalling => {
          this.#callsTool = isCalling
        },
      },
      messages,
      options as ChatOptions | undefined,
    )
  }

  /**
   * Reads a prompt and generates nothing. Fails with `context-overflow` if the prompt does not fit, or with `aborted`; the
   * session is then unchanged.
   *
   * @example
   * await session.append('Write a story about a fox.\n')
   */
  async append(prompt: Prompt, options?: AppendOptions): Promise<void> {
    const { signal, onProgress, ...read } = readOptions('append', options)
    const text = readPicturePrompt('append', prompt, this.#info, this.#engine, signal)
    const parameters = { ...read, maxTokens: 0, seed: 0, speculate: false, reportsReading: onProgress !== undefined }
    await this.#queue(async () => {
      const before = this.length
      try {
        await this.#write(text, parameters, signal, { onProgress })
        if (signal?.aborted) throw HeedError.aborted(signal) // even if the engine finished before it received the abort
      } catch (error) {
        if (this.length > before) await this.#truncate(before)
        throw error
      }
    }, signal)
  }

  /**
   * Copies this session. This is instant: the two share all memory until one of them continues.
   *
   * @example
   * const branch = await session.fork()
   * await Promise.all([session.generate(' Then'), branch.generate(' But')])
   */
  fork(): Promise<Session> {
    return this.#queue(async () => {
      const session = this.#connection.newSession()
      const tokens = await this.#connection.call({ type: 'forkSession', session, from: this.#id })
      return new Session(this.#engine, this.#info, session, tokens, this.#images)
    })
  }

  /**
   * Drops all tokens from position `length` on. Fails with `invalid-argument` if the session is shorter.
   *
   * @example
   * await session.truncate(session.length - 10)
   */
  truncate(length: number): Promise<void> {
    return this.#queue(async () => this.#truncate(readLength('truncate', length, this.length)))
  }

  /**
   * Returns the text and its cached state as bytes. `Model.restore` continues from them exactly as this session would, on any
   * machine and with either WebAssembly module. Fails with `unsupported` for a text with images.
   *
   * @example
   * const bytes = await session.save()
   * const again = await model.restore(bytes)
   */
  save(): Promise<Uint8Array> {
    return this.#queue(() => this.#connection.call({ type: 'saveSession', session: this.#id }))
  }

  /**
   * Frees the session; pending calls fail with `disposed`. A session that is dropped without `dispose` is freed eventually.
   *
   * @example
   * await session.dispose()
   */
  dispose(): Promise<void> {
    return (this.#disposing ??= this.#dispose())
  }

  get #connection(): Connection {
    return this.#engine.connection
  }

  /**
   * Queues a task. Rejects while a tool's function runs, because a tool that waits for its own session waits forever; later waits
   * are not detected.
   */
  readonly #queue: Queue = (task, signal) =>
    this.#callsTool
      ? Promise.reject(refuse('A tool cannot wait for its own session'))
      : withCaller(this.#line.run(task, leavesOnAbort(signal)))

  /** Generates once `queue` starts the task. `whole`: the prompt is the whole text of the session, not a continuation. */
  #generate<Parsed>(
    prompt: PicturePrompt,
    { signal, constraint, choices, ...options }: GenerateRequest,
    queue: Queue,
    whole = false,
  ): Generation<Parsed> {
    const parameters = generateParameters(options)
    const write: Write = (stop, onToken, onImages) =>
      queue(async () => {
        const handlers = { onToken, onImages, onProgress: options.onProgress }
        const end = await this.#write(prompt, parameters, stop, handlers, whole, constraint)
        const read = this.#tokens.slice(0, end.timings.promptTokens)
        return scored(end, this.#connection, read, choices, parameters, stop)
      }, stop)
    return new Generation<Parsed>(write, { ...parameters, signal, constraint, info: this.#info })
  }

  async #write(
    given: PicturePrompt,
    parameters: SessionParameters,
    signal: AbortSignal | undefined,
    { onToken, onImages, onProgress }: Callbacks,
    whole = false,
    constraint?: Outline,
  ): Promise<Results['generate']> {
    const stop = new AbortController()
    const ended = [signal, this.#gone.signal].map(one => onAbort(one, () => stop.abort()))
    let seen = 0
    const before = whole ? 0 : this.length
    let images = whole ? [] : this.#images
    onImages?.(images)
    try {
      const { addSpecial = this.length === 0, ...rest } = parameters
      const decoded = given instanceof Promise ? unlessAborted(given, stop.signal) : given
      const end = await whenDecoded(decoded, prompt =>
        written(
          this.#connection,
          { type: 'generate', session: this.#id, prompt, whole, constraint, options: { addSpecial, ...rest } },
          stop.signal,
          [
            token => {
              seen++
              onToken?.(token)
            },
            added => {
              images = [...images, ...added]
              onImages?.(images)
            },
          ],
          { onProgress },
          before,
        ),
      )
      this.#images = images
      this.#take(end.tokens!)
      this.#gone.signal.throwIfAborted()
      // Drops what the engine generated before it received the abort.
      const unseen = end.timings.generatedTokens - seen
      if (unseen > 0) await this.#truncate(this.length - unseen)
      return end
    } catch (error) {
      this.#gone.signal.throwIfAborted()
      await this.#update({ type: 'sessionTokens' }).catch(() => {}) // the engine may be gone
      throw error
    } finally {
      for (const end of ended) end()
    }
  }

  /** Makes a call that returns the tokens of the session. */
  async #update(call: { type: 'sessionTokens' } | { type: 'truncateSession'; length: number }): Promise<void> {
    this.#take(await this.#connection.call({ ...call, session: this.#id }))
  }

  #take(tokens: Int32Array): void {
    this.#tokens = Array.from(tokens)
    this.#images = imagesAmong(this.#images, this.#tokens)
  }

  #truncate(length: number): Promise<void> {
    return this.#update({ type: 'truncateSession', length })
  }

  async #dispose(): Promise<void> {
    const disposed = new HeedError('disposed', 'The session was disposed of')
    dropped.unregister(this)
    this.#gone.abort(disposed)
    await this.#line.close(disposed)
    await close(this.#connection, this.#id)
  }
}

/** Ignores errors: if the model is gone, so is the session. */
const close = (connection: Connection, session: number): Promise<void> =>
  connection.call({ type: 'closeSession', session }).catch(() => {})

/** `await using session = await model.session()` disposes of the session at the end of its block. */
export interface Session extends AsyncDisposable {}
makeDisposable(Session)

/** @internal Opens an empty session. */
export async function openSession(engine: PageEngine, info: ModelInfo): Promise<Session> {
  const session = engine.connection.newSession()
  await engine.connection.call({ type: 'openSession', session })
  return new Session(engine, info, session)
}

/** @internal Restores a saved session. */
export async function restoreSession(engine: PageEngine, info: ModelInfo, saved: unknown): Promise<Session> {
  const bytes = readBytes('restore', saved)
  const session = engine.connection.newSession()
  return new Session(engine, info, session, await engine.connection.call({ type: 'restoreSession', session, bytes }))
}
