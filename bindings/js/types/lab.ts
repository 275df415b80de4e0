// The public types of the lab: what can be read of a model while it reads a text, and how its reading of a text can be changed.
import type { TextImage } from './images.js'
import type { AttentionOf, AttentionToken, NamedToken, Prompt, TokenProbability } from './text.js'

/** Positions of a text, from 0; in an edit of a text that is generated, also those to come. */
export type EditPositions = 'all' | readonly number[]

/** Adds to the state after a layer (activation addition, arXiv:2308.10248). */
export interface AddEdit {
  /** `info.width` numbers. */
  readonly add: ArrayLike<number>
  /** From 0; -1 for what enters layer 0. */
  readonly layer: number
  /** Of `add`. Default: 1. */
  readonly scale?: number
  /** Default: `all`. */
  readonly positions?: EditPositions
}

/** Replaces the state after a layer, or what a head gives before the output matrix. */
export type ReplaceEdit =
  | { readonly replace: ArrayLike<number>; readonly layer: number; readonly positions?: EditPositions }
  | {
      readonly replace: ArrayLike<number>
      readonly head: readonly [layer: number, head: number]
      readonly positions?: EditPositions
    }

/** Activation patching (arXiv:2202.05262): the state after a layer is that of another text, as the unmodified model reads it. */
export interface PatchEdit {
  /** The other text. */
  readonly patch: Prompt
  /** From 0; -1 for what enters layer 0. */
  readonly layer: number
  /** Pairs of a position here, and one in the other text. */
  readonly positions: readonly (readonly [here: number, there: number])[]
}

/** What a head of softmax attention gives: times a factor, of which 0 ablates it; or its mean in another text. */
export type HeadEdit =
  | { readonly head: readonly [layer: number, head: number]; readonly scale: number; readonly positions?: EditPositions }
  | { readonly head: readonly [layer: number, head: number]; readonly mean: Prompt; readonly positions?: EditPositions }

/**
 * What is at a point that can be written (`Model.trace` names the points): something added to it, its replacement, or it times a factor.
 * `heads`: only these, at points that have heads (of experts: by rank). A vector is as long as the last axis of the point.
 */
export type PointEdit = {
  readonly at: string
  /** Default: all. */
  readonly heads?: readonly number[]
  /** Default: `all`. */
  readonly positions?: EditPositions
} & (
  | { readonly add: ArrayLike<number>; readonly scale?: number }
  | { readonly replace: ArrayLike<number> }
  | { readonly scale: number }
)

/** Attention knockout (arXiv:2304.14767): queries do not see keys, and the softmax is over the others. */
export interface CutEdit {
  readonly cut: {
    readonly layer: number
    /** Default: all heads of the layer. */
    readonly head?: number
    /** The position, or the positions, that do not see. */
    readonly query: number | readonly number[]
    /** The position, or the positions, that are not seen. */
    readonly key: number | readonly number[]
  }
}

/** A change of a pass from within. */
export type Edit = AddEdit | ReplaceEdit | PatchEdit | HeadEdit | PointEdit | CutEdit

/** The numbers at a point. */
export interface Tensor {
  /** Its name, with its layer from 0 on. */
  readonly point: string
  /** What each axis is: tokens and channels, with heads or experts between them; heads and tokens; or heads, queries and keys. */
  readonly axes: readonly string[]
  /** The length of each axis. */
  readonly shape: readonly number[]
  /** Row by row. Scores of keys that a query does not see are -Infinity. */
  readonly data: Float32Array
}

/** What there is at points of a pass. */
export interface Trace {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  /** Those of the source text, of an encoder-decoder. */
  readonly sourceTokens?: readonly AttentionToken[]
  /** The positions that were read, in that order. */
  readonly positions: readonly number[]
  /** One for each of the points asked for. */
  readonly tensors: readonly Tensor[]
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}

/** The residual stream of a text. */
export interface Hidden {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  /** The layers in `states`, in that order; -1 is what enters layer 0. */
  readonly layers: readonly number[]
  /** The positions in `states`, in that order. */
  readonly positions: readonly number[]
  /** `[layer]`: positions x D, row by row; what the next layer's first norm reads. */
  readonly states: readonly Float32Array[]
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}

/** A direction in the residual stream. */
export interface Direction {
  readonly layer: number
  /** `info.width` numbers, for `{ add: vector, layer }`. */
  readonly vector: Float32Array
  /** The direction as a control vector, a GGUF file that llama.cpp reads, too. Throws `unsupported` for layers below 1, which these lack. */
  save(): Uint8Array
}

/** What one layer would say at one position. */
export interface LensPrediction {
  /** The most probable next tokens, best first. */
  readonly top: readonly TokenProbability[]
  /** Natural logarithms of the probabilities of the tokens that were asked for. */
  readonly logprobs: readonly number[]
}

export interface LensLayer {
  readonly layer: number
  /** One for each of the positions. */
  readonly predictions: readonly LensPrediction[]
}

/** The logit lens: the final norm and the head, applied to the state after each layer. */
export interface Lens {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  /** The positions that were read. */
  readonly positions: readonly number[]
  /** The tokens of `logprobs`. */
  readonly watched: readonly NamedToken[]
  readonly layers: readonly LensLayer[]
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}

/** How probable a text is to the model. */
export interface Score {
  /** The tokens that are scored: all but the first of the text, which nothing precedes, and those of images, which have no probability. */
  readonly tokens: readonly AttentionToken[]
  /** The natural logarithm of each token's probability, given all before it. */
  readonly logProbs: Float32Array
  /** The sum of `logProbs`: the logarithm of the probability of the tokens. */
  readonly sum: number
  /** `sum` by the number of tokens; NaN without any. */
  readonly mean: number
  /** e^-mean. */
  readonly perplexity: number
}

/** A continuation, of whose tokens the score is. */
export interface ContinuationScore extends Score {
  /** Which of the continuations it is. */
  readonly index: number
}

/**
 * What a head attends to in random tokens that come twice: mean attention weights, from 0 to 1, over the queries that have such a key.
 * What a window hides from a query counts as 0.
 */
export interface HeadScores {
  readonly layer: number
  readonly head: number
  /** On the token before. */
  readonly previousToken: number
  /** On the earlier copy of the query's own token. */
  readonly duplicateToken: number
  /** On the token that followed that copy: induction heads (arXiv:2209.11895). */
  readonly induction: number
  /** On the first token of the text, with which most models begin it: an attention sink (arXiv:2309.17453). */
  readonly firstToken: number
}

/**
 * Direct logit attribution: what each part wrote into the residual stream in the direction of a token, with the final norm's divisor
 * held as it is. What a head does through later layers is not in its part. Heads have what adapters add to their output, and what edits
 * leave of it.
 */
export interface Attribution {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  readonly token: NamedToken
  readonly position: number
  /** What entered layer 0, with edits of it; at a token of an image, the row that the projector made. */
  readonly embedding: number
  /** `[layer][head]`, of softmax attention; a layer without it has none. */
  readonly heads: readonly (readonly number[])[]
  /** `[layer]`: the bias of the attention's output matrix. */
  readonly attentionBias: readonly number[]
  /** `[layer]`: all else that the layer added, with edits of the state after it and what the projector gives the layer (Qwen3-VL). */
  readonly mlp: readonly number[]
  /** The final norm's bias and the head's. */
  readonly constant: number
  /** Of all of these: the logit, before a soft cap. */
  readonly sum: number
  /** The model's own logit. */
  readonly logit: number
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}

/**
 * What the weights of one query of a head are computed from, step by step: `dots` are query x key; times `scale`, through
 * `softCap * tanh(score / softCap)` where there is a soft cap, plus `bias` where there is one, they are `scores`; and `weights` are their
 * softmax, over the tokens that the query sees and the `sink`, if there is one. A layer without attention sees none.
 */
export interface AttentionParts {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  /** The K tokens that may be attended to: `tokens`, except for `cross`. */
  readonly keys: readonly AttentionToken[]
  readonly of: AttentionOf
  readonly layer: number
  readonly head: number
  /** The position of the token that attends. */
  readonly query: number
  /** The query sees `keys` [from, to); the others are masked. The arrays below have N = to - from items. */
  readonly from: number
  readonly to: number
  readonly scale: number
  /** Bounds the scaled scores; absent in models without it. */
  readonly softCap?: number
  /** A score without a token that takes part in the softmax (gpt-oss); absent in models without it. */
  readonly sink?: number
  /** What is added to each score for its distance (ALiBi, T5); absent in models without it. */
  readonly bias?: Float32Array
  /**
   * The query, after its norm and its rotation (RoPE), as the engine multiplies it. Where RoPE rotates neighboring pairs, the file's rows
   * are sorted into halves, in queries and keys alike.
   */
  readonly queryVector: Float32Array
  /** The keys, likewise, as they are cached. In latent attention (DeepSeek) they may be the latent vectors, and the query one for these. */
  readonly keyVectors: readonly Float32Array[]
  /** In double precision, as are `scores`. */
  readonly dots: Float64Array
  readonly scores: Float64Array
  /** As the engine computed them: those of `attention`. */
  readonly weights: Float32Array
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}

/** How long the values of a text are as they enter the residual stream. */
export interface ValueNorms {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  readonly of: 'decoder' | 'encoder'
  /** The layers in `norms`, in that order. */
  readonly layers: readonly number[]
  /** The heads in `norms`, in that order. */
  readonly heads: readonly number[]
  /** `[layer][head]`: of each token the Euclidean norm of its value after the head's part of the output matrix; 0 without attention. */
  readonly norms: readonly (readonly Float32Array[])[]
  /** The images of the text; absent without images. */
  readonly images?: readonly TextImage[]
}
