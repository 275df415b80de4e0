// Written by tools/contract from api/: the public types of options.
import type { WebAbortSignal } from './web.js'

export interface AcceptsOptions {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

/** A limit on the number of tokens of an image. */
export interface ImageBound {
  /**
   * The maximum number of tokens for the image, including those that the model expects around it. The image uses as many of them
   * as its family allows:
   * - families that give images their own size (Qwen2.5-VL, Qwen3-VL, Qwen 3.5, Gemma 4, Pixtral, Mistral 3, PaddleOCR-VL,
   *   GLM-4V): the image is shrunk further, but not below the fewest pixels of the family or of its file
   * - SmolVLM: its longer side becomes fewer tiles, at least one, beside the overview
   * - InternVL: a grid of fewer tiles, down to one tile with the whole image
   * - LFM2-VL: a grid of fewer tiles, down to the overview alone, which is then shrunk, to about 64 tokens
   * - Gemma 3, LLaVA: every image has the same number of tokens
   *
   * A `maxImageTokens` below that is an error (`invalid-argument`) that says how many tokens the image needs. At least 1.
   * Default: the model's own bounds.
   */
  maxImageTokens?: number
}
