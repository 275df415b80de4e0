// One text at a time: the viewer's model writes, and Stop ends it, or the end of a sentence.
import type { FinishReason, GenerateOptions, GenerateResult, Token } from 'heed'
import type { HeedViewer } from 'heed/viewer'
import { Observable } from '../support/observable.js'

/** How a text came out. */
export interface Outcome {
  seed: number
  tokens: number
  finishReason: FinishReason | 'sentence'
  /** Milliseconds from the start to the first token; absent where there was none. */
  firstTokenMs?: number
  tokensPerSecond: number
}

/** A text being written, as far as it is. */
export interface Pace {
  tokens: number
  firstTokenMs: number
  tokensPerSecond: number
}

type OnToken = (token: Token, pace: Pace) => void

const endsSentence = /[.!?]\s*$/

export class Writer {
  readonly writing = new Observable(false)
  readonly #viewer: HeedViewer
  #stop = new AbortController()

  constructor(viewer: HeedViewer) {
    this.#viewer = viewer
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Resolves when the text is there, of which a sentence may be enough. Rejects with a HeedError; a stop is no error. */
  async write(prompt: string, options: GenerateOptions, oneSentence: boolean, onToken: OnToken): Promise<Outcome> {
    const stop = this.#stop = new AbortController()
    const viewer = this.#viewer
    this.writing.value = true
    const start = performance.now()
    let first: number | undefined
    let tokens = 0
    let tokensPerSecond = 0
    let isWhole = false
    const count = ({ detail: token }: CustomEvent<Token>) => {
      const now = performance.now()
      first ??= now
      tokensPerSecond = now > first ? tokens * 1000 / (now - first) : 0
      tokens++
      onToken(token, { tokens, firstTokenMs: first - start, tokensPerSecond })
      isWhole = oneSentence && endsSentence.test(token.text)
      if (isWhole) stop.abort()
    }
    try {
      viewer.addEventListener('tokenwrite', count)
      const ended = new Promise<GenerateResult>(resolve => {
        viewer.addEventListener('writeend', ({ detail }) => resolve(detail), { once: true })
      })
      // What the text attends to is read after it has ended.
      const { seed, finishReason, timings } =
        await Promise.race([ended, viewer.generate(prompt, { ...options, signal: stop.signal })])
      return {
        seed, tokens, finishReason: isWhole ? 'sentence' : finishReason, firstTokenMs: first && first - start,
        tokensPerSecond: timings.decodeTokensPerSecond || tokensPerSecond,
      }
    } finally {
      viewer.removeEventListener('tokenwrite', count)
      this.writing.value = false
    }
  }
}
