// The public types of prompts and tokens.
import type { Audio } from './audio.js'
import type { ImageBound } from './early-options.generated.js'
import type { Image, TextImage } from './images.js'

/**
 * A part of a prompt: plain text, in which control tokens are not parsed; text in which they are, such as a chat template's; token
 * ids; or, if the model was loaded with a projector (`info.acceptsImages`, `info.acceptsAudio`), an image or a sound. Images and
 * sounds are accepted in texts that the decoder processes or continues, but not in `embed`, continuations of `score`, or the other
 * texts of edits. The tokens that the model expects around them are added.
 */
export type PromptPart =
  | string
  | { readonly control: string }
  | { readonly ids: ArrayLike<number> }
  | ({ readonly image: Image } & Readonly<ImageBound>)
  | { readonly audio: Audio }

/**
 * A text, token ids that are used as they are, or parts. Consecutive parts without images and sounds are tokenized as one text.
 * Text from a user in a plain part cannot forge a control token.
 */
export type Prompt = string | ArrayLike<number> | readonly PromptPart[]

export interface NamedToken {
  readonly id: number
  readonly text: string
}

export interface TokenProbability {
  readonly id: number
  readonly text: string
  /** Natural logarithm of the model's own probability, before temperature, penalties and filters. */
  readonly logprob: number
}

/** The position of a token among the tokens that together form one character. */
export interface CharacterPart {
  /** From 0. */
  readonly index: number
  readonly count: number
}

export interface AttentionToken {
  /** Below 0 for a token of an image, which has no text. */
  readonly id: number
  /** For a token that is part of a character: the whole character. */
  readonly text: string
  /** Present if this token holds part of a character. */
  readonly part?: CharacterPart
}

/** The text whose processing was read. */
export interface TextRead {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}

/**
 * The attention: `decoder`, self-attention of the generated text; `encoder`, self-attention of the source text; `cross`, from the
 * generated text to the source text.
 */
export type AttentionOf = 'decoder' | 'encoder' | 'cross'
