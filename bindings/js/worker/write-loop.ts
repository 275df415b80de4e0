// The loop that runs all generations: a pass for all of them, then the messages that have arrived, and so on.
import { HeedError } from '../wire/errors.js'
import type { WireToken } from '../wire/protocol.js'
import type { Engine, GenerationEnd, EngineEvent } from './engine.js'

interface Writing {
  /** Prepares the next token, if that can take long. */
  prepare?(): Promise<void>
  /** Called after each pass until the first token, with the number of prompt tokens processed. */
  onRead?(done: number): void
  onToken(token: WireToken): void
  resolve(end: GenerationEnd): void
  reject(error: HeedError): void
}

export class WriteLoop {
  readonly #engine: Engine
  readonly #yieldToMessages: () => Promise<void>
  readonly #texts = new Map<number, Writing>()
  #runs = false

  constructor(engine: Engine, yieldToMessages: () => Promise<void>) {
    this.#engine = engine
    this.#yieldToMessages = yieldToMessages
  }

  /** Reports the tokens of a generation that the engine has begun, by its number; resolves at its end. `prepare` is called before each pass. */
  follow(id: number, callbacks: Pick<Writing, 'prepare' | 'onRead' | 'onToken'>): Promise<GenerationEnd> {
    return new Promise((resolve, reject) => {
      this.#texts.set(id, { ...callbacks, resolve, reject })
      if (!this.#runs) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#runs = true
    while (this.#texts.size > 0) {
      for (const { prepare } of this.#texts.values()) await prepare?.()
      try {
        const events = this.#engine.step()
        for (const [id, { onRead }] of this.#texts) onRead?.(this.#engine.promptRead(id))
        for (const event of events) this.#dispatch(event)
      } catch (error) {
        this.#fail(HeedError.from(error))
      }
      await this.#yieldToMessages()
    }
    this.#runs = false
  }

  /** Fails all generations with this error. */
  #fail(error: HeedError): void {
    for (const [id, text] of this.#texts) {
      text.reject(error)
      try {
        this.#engine.abort(id)
      } catch {} // the engine is gone
    }
    this.#texts.clear()
  }

  #dispatch(event: EngineEvent): void {
    const text = this.#texts.get(event.id)
    if (!text) return
    if ('token' in event) return text.onToken(event.token)
    if ('code' in event) text.reject(new HeedError(event.code, event.message))
    else text.resolve(event)
    this.#texts.delete(event.id)
  }
}
