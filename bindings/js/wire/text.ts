// Prompts and tokens in the messages to the engine's worker.
import type { Pixels } from '../types/index.js'
import type { HeedErrorCode } from './errors.js'

export type WireImage = { image: Pixels; maxImageTokens?: number }
/** `data`: one channel at 16,000 Hz; empty where only the number of samples counts. */
export type WireSound = { audio: { sampleRate: number; samples: number; data: Float32Array } }
export type WireMedia = WireImage | WireSound
export type WirePart = string | { control: string } | { ids: number[] } | WireMedia
/** A `Prompt` (types/text.ts) as plain data. */
export type WirePrompt = string | number[] | { parts: WirePart[] }

/** A text to process, and how to tokenize it. Some calls accept no images and sounds in it (page/pictures.ts). */
export interface WireText {
  prompt: WirePrompt
  addSpecial: boolean
  parseSpecial: boolean
}

/**
 * A `TextImage` (types/images.ts) as numbers: for each token its position, its tile, and x, y, width and height of its rectangle.
 */
export interface WireTextImage {
  width: number
  height: number
  patches: Float64Array
}

/** A token by its exact text, or by its id. */
export type TokenName = string | number

/** Requests from the template worker to the engine's; answers come in the same order. Of images and sounds, only the sizes matter. */
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
