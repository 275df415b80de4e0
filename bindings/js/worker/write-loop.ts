// The loop that runs all generations: one pass for all of them, then the messages that have arrived.
import type { FinishReason, NamedToken } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import type { WireToken } from '../wire/protocol.js'
import type { Engine, EngineTimings, Step } from './engine.js'

interface Writing {
  onToken(token: WireToken): void
  /** A token with part of its text held back: if the next step is the end, it gets the rest. */
  held?: WireToken
  resolve(end: End): void
  reject(error: HeedError): void
}

interface End {
  finishReason: FinishReason
  endToken?: NamedToken
  timings: EngineTimings
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

  /** Reports the tokens of a generation that the engine has begun; resolves at its end. */
  follow(id: number, onToken: (token: WireToken) => void): Promise<End> {
    return new Promise((resolve, reject) => {
      this.#texts.set(id, { onToken, resolve, reject })
      if (!this.#runs) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#runs = true
    try {
      while (this.#engine.writes()) {
        for (const step of this.#engine.pass()) this.#dispatch(step)
        await this.#yieldToMessages()
      }
    } catch (error) {  // the engine crashed
      for (const text of this.#texts.values()) text.reject(HeedError.from(error))
      this.#texts.clear()
    } finally {
      this.#runs = false
    }
  }

  #dispatch(step: Step): void {
    const text = this.#texts.get(step.id)
    if (!text) return
    switch (step.kind) {
      case 'prompt': return
      case 'token':
        if (text.held) text.onToken(text.held)
        text.held = step.holdsText ? step.token : undefined
        if (!text.held) text.onToken(step.token)
        return
      case 'end':
        if (text.held) text.onToken({ ...text.held, text: text.held.text + step.rest })
        text.resolve(step)
        break
      case 'failed':
        text.reject(new HeedError(step.code, step.message))
    }
    this.#texts.delete(step.id)
  }
}
