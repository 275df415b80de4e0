// A session, as its user holds it: a text that is gone on with.
import type { EngineLease } from './connection.js'
import { HeedError } from './errors.js'
import { Generation, type Write } from './generation.js'
import { Line } from './line.js'
import { generateParameters, readBytes, readLength, readOptions, readPrompt } from './options.js'
import type { GenerateParameters, Results, WirePrompt } from './protocol.js'
import { randomSeed } from './seed.js'
import type { AppendOptions, GenerateOptions, ModelInfo, Prompt } from './types.js'

type Connection = EngineLease['connection']
/** Without the tokens that are added by default only where a session is empty. */
type SessionParameters = Omit<GenerateParameters, 'addSpecial'> & { addSpecial?: boolean }

const dropped = new FinalizationRegistry<{ connection: Connection, id: number }>(({ connection, id }) => {
  void close(connection, id)
})

/**
 * A text of its own, which calls go on with: a conversation, or a branch of one. Calls on one session run one after the other,
 * in order, beside those of other sessions and of the model. All fail with `disposed` once the session, or its model, was
 * disposed of.
 */
export class Session {
  readonly #engine: EngineLease
  readonly #info: ModelInfo
  readonly #id: number
  readonly #line = new Line()
  /** Ends the generation that runs. */
  #running?: AbortController
  #tokens: readonly number[] = []
  #disposed?: HeedError
  #disposing?: Promise<void>

  /** @internal Made by openSession and restoreSession. */
  constructor(engine: EngineLease, info: ModelInfo, id: number, tokens: ArrayLike<number> = []) {
    this.#engine = engine
    this.#info = info
    this.#id = id
    this.#tokens = Array.from(tokens)
    dropped.register(this, { connection: engine.connection, id }, this)
  }

  /** The tokens that it holds, from the first on. While something runs: those that were last known. */
  get tokens(): readonly number[] {
    return this.#tokens
  }

  /** How many these are. */
  get length(): number {
    return this.#tokens.length
  }

  /**
   * Adds to the text, and continues it, as `Model.generate` does: the session then holds the prompt and all that was written.
   * An empty prompt just goes on. The tokens that the model expects around a text are added only where the session is empty,
   * unless `addSpecial` says otherwise. An abort ends it; the session holds what the generation's result has.
   */
  generate(prompt: Prompt, options: GenerateOptions = {}): Generation {
    const read = readOptions('generate', options)
    const { seed = randomSeed(), signal, addSpecial } = read
    const text = readPrompt('generate', prompt)
    const parameters = { ...generateParameters(read, seed), addSpecial }
    const write: Write = (stop, onToken) =>
      this.#line.run(() => this.#write(text, parameters, stop, onToken), stop)
    return new Generation(write, { seed, signal, attention: parameters.attention, info: this.#info })
  }

  /**
   * Reads a prompt, and writes nothing. Fails with `context-overflow` for more than the context has room for, or with
   * `aborted`; the session is then as it was.
   */
  async append(prompt: Prompt, options: AppendOptions = {}): Promise<void> {
    const { addSpecial, parseSpecial = false, signal } = readOptions('append', options)
    const text = readPrompt('append', prompt)
    const parameters = { addSpecial, parseSpecial, maxTokens: 0, seed: 0, speculate: false }
    await this.#line.run(async () => {
      const before = this.length
      try {
        await this.#write(text, parameters, signal)
        if (signal?.aborted) throw HeedError.aborted(signal)  // also where the engine was done before it heard of it
      } catch (error) {
        if (this.length > before) await this.#truncate(before)
        throw error
      }
    }, signal)
  }

  /** A session that begins as this one. It shares all memory with it until one of them goes on, and takes no time. */
  fork(): Promise<Session> {
    return this.#line.run(async () => {
      const session = this.#connection.newSession()
      const tokens = await this.#connection.call({ type: 'forkSession', session, from: this.#id })
      return new Session(this.#engine, this.#info, session, tokens)
    })
  }

  /** Forgets all tokens from position `length` on. Fails with `invalid-argument` where there are not so many. */
  truncate(length: number): Promise<void> {
    return this.#line.run(async () => this.#truncate(readLength('truncate', length, this.length)))
  }

  /**
   * The text, and what the model keeps of it, as bytes: `Model.restore` goes on from them as this session would, on any machine
   * and with either WebAssembly module.
   */
  save(): Promise<Uint8Array> {
    return this.#line.run(() => this.#connection.call({ type: 'saveSession', session: this.#id }))
  }

  /** Frees what the session holds. What runs on it ends. One that is dropped without it is freed at some later time. */
  dispose(): Promise<void> {
    return this.#disposing ??= this.#dispose()
  }

  get #connection(): Connection {
    return this.#engine.connection
  }

  async #write(
    prompt: WirePrompt, parameters: SessionParameters, signal?: AbortSignal,
    onToken: Parameters<Write>[1] = () => {},
  ): Promise<Results['generate']> {
    const stop = new AbortController()
    const abort = () => stop.abort()
    signal?.addEventListener('abort', abort)
    this.#running = stop
    let seen = 0
    try {
      const { addSpecial = this.length === 0, ...rest } = parameters
      const end = await this.#connection.call(
        { type: 'generate', session: this.#id, prompt, options: { addSpecial, ...rest } },
        {
          signal: stop.signal,
          keepsResult: true,
          onEvent: event => {
            if (event.type !== 'token' || stop.signal.aborted) return
            seen++
            onToken(event.token)
          },
        })
      this.#tokens = Array.from(end.tokens!)
      if (this.#disposed) throw this.#disposed
      // What the engine made before it heard of the abort is not wanted any more.
      const unseen = end.timings.generatedTokens - seen
      if (unseen > 0) await this.#truncate(this.length - unseen)
      return end
    } catch (error) {
      if (this.#disposed) throw this.#disposed
      await this.#refresh().catch(() => {})  // the engine may be gone
      throw error
    } finally {
      this.#running = undefined
      signal?.removeEventListener('abort', abort)
    }
  }

  async #refresh(): Promise<void> {
    this.#tokens = Array.from(await this.#connection.call({ type: 'sessionTokens', session: this.#id }))
  }

  async #truncate(length: number): Promise<void> {
    this.#tokens = Array.from(await this.#connection.call({ type: 'truncateSession', session: this.#id, length }))
  }

  async #dispose(): Promise<void> {
    this.#disposed = new HeedError('disposed', 'The session was disposed of')
    dropped.unregister(this)
    const ended = this.#line.close(this.#disposed)
    this.#running?.abort()
    await ended
    await close(this.#connection, this.#id)
  }
}

/** Where the model is gone, so are its sessions. */
const close = (connection: Connection, session: number): Promise<void> =>
  connection.call({ type: 'closeSession', session }).catch(() => {})

/** `await using session = await model.session()` disposes of the session at the end of its block. */
export interface Session extends AsyncDisposable {}
if (Symbol.asyncDispose) {
  Object.defineProperty(Session.prototype, Symbol.asyncDispose, { value(this: Session) { return this.dispose() } })
}

/** @internal An empty session. */
export async function openSession(engine: EngineLease, info: ModelInfo): Promise<Session> {
  const session = engine.connection.newSession()
  await engine.connection.call({ type: 'openSession', session })
  return new Session(engine, info, session)
}

/** @internal A session that was saved. */
export async function restoreSession(engine: EngineLease, info: ModelInfo, saved: unknown): Promise<Session> {
  const bytes = readBytes('restore', saved)
  const session = engine.connection.newSession()
  return new Session(engine, info, session, await engine.connection.call({ type: 'restoreSession', session, bytes }))
}
