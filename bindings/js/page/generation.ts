// One generation: the tokens as they arrive, and the whole text.
import type { GenerateResult, ModelInfo, Token } from '../types/index.js'
import type { HeedError } from '../wire/errors.js'
import type { Outline } from '../wire/form.js'
import type { Results, Selection, WireToken } from '../wire/protocol.js'
import { splitAttention } from './attention.js'
import { Feed } from './feed.js'
import { parsed, parsedSoFar } from './parsed.js'

type End = Omit<Results['generate'], 'tokens'>

/** @internal Runs the generation and calls `onToken` for each token, but not after an abort. */
export type Write = (signal: AbortSignal, onToken: (token: WireToken) => void) => Promise<End>

/** @internal */
interface GenerationOptions {
  seed: number
  signal?: AbortSignal
  form?: Outline
  /** The attention to report with each token; `info` has the number of layers and heads. */
  attention?: Selection
  info: ModelInfo
}

const nothing: End = {
  finishReason: 'abort',
  timings: {
    promptTokens: 0, reusedTokens: 0, generatedTokens: 0, guessedTokens: 0, acceptedTokens: 0,
    prefillMs: 0, decodeMs: 0, prefillTokensPerSecond: 0, decodeTokensPerSecond: 0,
  },
}

/**
 * Iterate it for tokens as they arrive, `await` it for the result, or both. Leaving the loop early ends the generation. An
 * abort is a normal end: the loop ends, and the result's `finishReason` is `abort`.
 *
 * It can be awaited, so an async function that returns it resolves to the result, at its end: to pass it on, return it in an object.
 * `generation.result` is the promise alone.
 *
 * @example
 * async function begin(prompt) {
 *   const generation = model.generate(prompt)
 *   return { tokens: generation, result: generation.result }   // not `return generation`
 * }
 */
export class Generation extends Feed<Token, GenerateResult> {
  /** The seed in use: the one given, or a random one. */
  readonly seed: number
  readonly #written: { readonly form?: Outline, text: string }

  /** @internal Called by Model and Session. */
  constructor(write: Write, { seed, signal, form, attention: selection, info }: GenerationOptions) {
    const written = { form, text: '' }
    super(async (stop, put, tokens) => {
      const end = await write(stop, ({ attention, ...token }) => {
        written.text += token.text
        put(attention && selection ? { ...token, attention: splitAttention(attention, selection, info) } : token)
      }).catch((error: HeedError) => {
        if (error.code === 'aborted') return nothing
        throw error
      })
      const { text } = written
      return {
        text,
        tokens,
        parsed: parsed(form, text),
        seed,
        timings: end.timings,
        ...stop.aborted ? { finishReason: 'abort' } : { finishReason: end.finishReason, endToken: end.endToken },
      }
    }, signal)
    this.seed = seed
    this.#written = written
  }

  /**
   * With `jsonSchema`: the value so far, as a token arrives, with what is open closed and no number that may go on; undefined before
   * it begins.
   *
   * @example
   * for await (const _ of generation) show(generation.parsed)   // {}, { name: 'A' }, { name: 'Ada' }, …
   */
  get parsed(): unknown {
    return parsedSoFar(this.#written.form, this.#written.text)
  }
}
