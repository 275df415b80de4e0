// One generation: the tokens as they arrive, and the whole text.
import type { GenerateResult, ModelInfo, TextImage, Token } from '../types/index.js'
import type { SoFar } from '../types/schema.js'
import type { HeedError } from '../wire/errors.js'
import type { Outline } from '../wire/constraint.js'
import type { Results, Selection, WireToken } from '../wire/protocol.js'
import { noTimings } from '../wire/timings.js'
import { splitAttention } from './heads.js'
import { Feed } from './feed.js'
import { parsed, parsedSoFar } from './parsed.js'
import { withImages } from './text-images.js'

type End = Omit<Results['generate'], 'tokens'> & Pick<GenerateResult, 'choiceProbabilities'>

/** @internal Runs the generation. Calls `onImages` first if the text has images, then `onToken` for each token until an abort. */
export type Write = (
  signal: AbortSignal,
  onToken: (token: WireToken) => void,
  onImages: (images: readonly TextImage[]) => void,
) => Promise<End>

/** @internal */
interface GenerationOptions {
  seed: number
  signal?: AbortSignal
  constraint?: Outline
  /** Texts and token ids that end the generation. */
  stop?: readonly (string | number)[]
  /** The attention to report with each token; `info` has the number of layers and heads. */
  attention?: Selection
  info: ModelInfo
}

/** The text as far as it has been generated. */
interface Written {
  readonly constraint?: Outline
  text: string
  /** The parsed value; set at the end. */
  value?: unknown
  images: readonly TextImage[]
}

const nothing: End = { finishReason: 'abort', timings: noTimings }

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
export class Generation<Parsed = unknown> extends Feed<Token, GenerateResult<Parsed>> {
  /** The seed in use: the one given, or a random one. */
  readonly seed: number
  readonly #written: Written

  /** @internal Called by Model and Session. */
  constructor(write: Write, { seed, signal, constraint, stop: ends, attention: selection, info }: GenerationOptions) {
    const written: Written = { constraint, text: '', images: [] }
    super(async (stop, put, tokens) => {
      const end = await write(
        stop,
        ({ attention, ...token }) => {
          written.text += token.text
          put(attention && selection ? { ...token, attention: splitAttention(attention, selection, info) } : token)
        },
        images => {
          written.images = images
        },
      ).catch((error: HeedError) => {
        if (error.code === 'aborted') return nothing
        throw error
      })
      const { text } = written
      const ending = stop.aborted ? { finishReason: 'abort' as const } : { finishReason: end.finishReason, endToken: end.endToken }
      written.value = parsed(constraint, text, { ...ending, stop: ends })
      const { timings, choiceProbabilities } = end
      const scored = choiceProbabilities && { choiceProbabilities }
      return { text, tokens, parsed: written.value as Parsed, ...scored, seed, ...withImages(written.images), timings, ...ending }
    }, signal)
    this.seed = seed
    this.#written = written
  }

  /**
   * The images of the text, including a session's earlier ones, with the patches of their tokens; set before the first token
   * arrives.
   *
   * @example
   * for await (const { attention } of generation) draw(attention![0]![0]!, generation.images[0]!.patches)
   */
  get images(): readonly TextImage[] {
    return this.#written.images
  }

  /**
   * With `jsonSchema`: the value so far, updated with each token. Open strings, arrays and objects are closed, and a number that
   * may continue is left out; undefined before the value begins.
   *
   * @example
   * for await (const _ of generation) show(generation.parsed)   // {}, { name: 'A' }, { name: 'Ada' }, …
   */
  get parsed(): SoFar<Parsed> | undefined {
    const { constraint, text, value } = this.#written
    return (value === undefined ? parsedSoFar(constraint, text) : value) as SoFar<Parsed> | undefined
  }
}
