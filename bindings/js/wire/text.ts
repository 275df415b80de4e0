// Prompts and tokens as the page sends them to the engine's worker.
import type { Pixels } from '../types/index.js'
import type { HeedErrorCode } from './errors.js'

export type WireImage = { image: Pixels; maxImageTokens?: number }
export type WirePart = string | { control: string } | { ids: number[] } | WireImage
/** A `Prompt` (types/text.ts) as plain data. */
export type WirePrompt = string | number[] | { parts: WirePart[] }

/** A text that is read, and how it becomes tokens. Some calls take no images in it (page/pictures.ts). */
export interface WireText {
  prompt: WirePrompt
  addSpecial: boolean
  parseSpecial: boolean
}

/** A `TextImage` (types/images.ts) as numbers: of each token its position, its tile, and its rectangle's x, y, width and height. */
export interface WireTextImage {
  width: number
  height: number
  patches: Float64Array
}

/** A token by its exact text, or by its id. */
export type TokenName = string | number

/** What the worker of templates asks the engine's; answers come in this order. Of images, only the sizes count. */
export interface TokenizeRequest {
  readonly prompt: WirePrompt
  readonly addSpecial: boolean
}

export type TokenizeAnswer = { readonly ids: number[] } | Failure

export interface Failure {
  readonly code: HeedErrorCode
  readonly message: string
}

/** Layers and heads; an empty list means all. */
export interface Selection {
  layers: number[]
  heads: number[]
}
