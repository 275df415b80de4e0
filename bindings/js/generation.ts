// One generation: an async iterable of tokens, and a promise of the whole text, in the same object.
import { splitAttention } from './attention.js'
import type { HeedError } from './errors.js'
import type { Results, Selection, WireToken } from './protocol.js'
import type { GenerateResult, ModelInfo, Token } from './types.js'

/** @internal Has the engine write; tokens come until it has ended, and not after an abort. */
export type Write =
  (signal: AbortSignal, onToken: (token: WireToken) => void) => Promise<Omit<Results['generate'], 'tokens'>>

/** @internal */
interface GenerationOptions {
  seed: number
  signal?: AbortSignal
  /** Of which attention comes with each token, in a model of this shape. */
  attention?: Selection
  info: ModelInfo
}

const nothing: Omit<Results['generate'], 'tokens'> = {
  finishReason: 'abort',
  timings: {
    promptTokens: 0, reusedTokens: 0, generatedTokens: 0, guessedTokens: 0, acceptedTokens: 0,
    prefillMs: 0, decodeMs: 0, prefillTokensPerSecond: 0, decodeTokensPerSecond: 0,
  },
}

/**
 * Iterate it for tokens as they come, `await` it for the result, or both. Leaving the loop early ends the
 * generation. An abort is an ordinary end: the loop just ends, and the result's `finishReason` is `abort`.
 */
export class Generation implements PromiseLike<GenerateResult>, AsyncIterable<Token> {
  /** The seed in use: the one asked for, or the random one that was drawn. */
  readonly seed: number
  readonly #tokens: Token[] = []
  readonly #stop = new AbortController()
  readonly #result: Promise<GenerateResult>
  #ended = false
  #wake!: () => void
  #changed!: Promise<void>

  /** @internal Called by Model and Session. */
  constructor(write: Write, options: GenerationOptions) {
    this.seed = options.seed
    this.#awaitChange()
    this.#result = this.#run(write, options)
    this.#result.catch(() => {})  // an error that reaches a loop over the tokens is not also an unhandled one
  }

  then<Result = GenerateResult, Failure = never>(
    onResult?: ((result: GenerateResult) => Result | PromiseLike<Result>) | null,
    onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#result.then(onResult, onError)
  }

  catch<Failure = never>(
    onError?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<GenerateResult | Failure> {
    return this.#result.catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<GenerateResult> {
    return this.#result.finally(onEnd)
  }

  /** Every loop sees all tokens, from the first one. */
  async* [Symbol.asyncIterator](): AsyncGenerator<Token, void, undefined> {
    try {
      for (let next = 0; ; next++) {
        while (next === this.#tokens.length && !this.#ended) await this.#changed
        if (next === this.#tokens.length) break
        yield this.#tokens[next]!
      }
      await this.#result  // throws what went wrong
    } finally {
      this.#stop.abort()
    }
  }

  async #run(write: Write, { signal, attention: selection, info }: GenerationOptions): Promise<GenerateResult> {
    const stop = () => this.#stop.abort(signal?.reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    try {
      const end = await write(this.#stop.signal, ({ attention, ...token }) => {
        this.#tokens.push(attention && selection ? { ...token, attention: splitAttention(attention, selection, info) } : token)
        this.#awaitChange()
      }).catch((error: HeedError) => {
        if (error.code === 'aborted') return nothing
        throw error
      })
      return {
        text: this.#tokens.map(token => token.text).join(''),
        tokens: this.#tokens,
        seed: this.seed,
        timings: end.timings,
        ...this.#stop.signal.aborted ? { finishReason: 'abort' } : { finishReason: end.finishReason, endToken: end.endToken },
      }
    } finally {
      signal?.removeEventListener('abort', stop)
      this.#ended = true
      this.#awaitChange()
    }
  }

  /** Wakes the loops that wait for a token, and makes the next thing to wait for. */
  #awaitChange(): void {
    this.#wake?.()
    this.#changed = new Promise(resolve => { this.#wake = resolve })
  }
}
