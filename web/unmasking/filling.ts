// A text by a model that writes by unmasking: which token took the place of which mask, and in which pass.
import type { GenerateOptions, ModelInfo, UnmaskedStep, UnmaskedToken } from 'heed'

/** A token in its place, with the pass that put it there, from 1. */
export interface Filled extends UnmaskedToken {
  readonly pass: number
}

export class Filling {
  /** The tokens by place; absent where there is still a mask. */
  readonly #tokens: Filled[] = []
  #passes = 0
  #places = 0
  #end = 0

  add({ places, end, tokens }: UnmaskedStep): void {
    this.#places = places
    this.#end = end
    const pass = ++this.#passes
    for (const token of tokens) this.#tokens[token.place] = { ...token, pass }
  }

  /** The number of passes so far. */
  get passes(): number {
    return this.#passes
  }

  /** The number of places that the text may take. */
  get places(): number {
    return this.#places
  }

  /** The places of the blocks that passes have reached, as they were after `passes` of them: tokens, or undefined for masks. */
  after(passes: number): (Filled | undefined)[] {
    return Array.from({ length: this.#end }, (_, place) => {
      const token = this.#tokens[place]
      return token && token.pass <= passes ? token : undefined
    })
  }
}

/**
 * The options of `generate` and `chat` for a model that writes by unmasking, which has no alternatives to report; none for others.
 */
export const unmaskingOptions = ({ maskToken }: ModelInfo, onUnmasked: (step: UnmaskedStep) => void): Partial<GenerateOptions> =>
  maskToken ? { topLogprobs: 0, onUnmasked } : {}
