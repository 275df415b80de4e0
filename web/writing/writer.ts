// One text at a time: the model writes, tokens go to the page as they come, and Stop ends it.
import type { FinishReason, GenerateOptions, Model, Timings, Token } from 'heed'
import { Observable } from '../support/observable.js'

/** Most probable tokens to ask for in place of each one written. */
const alternatives = 8

/** How a text came out. */
export interface Outcome {
  seed: number
  tokens: number
  finishReason: FinishReason
  /** Milliseconds from the start to the first token; absent where there was none. */
  firstTokenMs?: number
  timings: Timings
}

/** A text being written, as far as it is. */
export interface Pace {
  tokens: number
  firstTokenMs: number
  tokensPerSecond: number
}

type OnToken = (token: Token, pace: Pace) => void

export class Writer {
  readonly writing = new Observable(false)
  #stop = new AbortController()

  stop(): void {
    this.#stop.abort()
  }

  /** Rejects with a HeedError; an end by `stop` is an ordinary one. */
  async write(model: Model, prompt: string, options: GenerateOptions, onToken: OnToken): Promise<Outcome> {
    const { signal } = this.#stop = new AbortController()
    this.writing.value = true
    const start = performance.now()
    let first: number | undefined
    let tokens = 0
    try {
      const generation = model.generate(prompt, { ...options, topLogprobs: alternatives, signal })
      for await (const token of generation) {
        if (signal.aborted) break  // what was on its way when Stop was pressed
        const now = performance.now()
        first ??= now
        const tokensPerSecond = now > first ? tokens * 1000 / (now - first) : 0
        tokens++
        onToken(token, { tokens, firstTokenMs: first - start, tokensPerSecond })
      }
      const { seed, finishReason, timings } = await generation
      return { seed, tokens, finishReason, timings, firstTokenMs: first && first - start }
    } finally {
      this.writing.value = false
    }
  }
}
