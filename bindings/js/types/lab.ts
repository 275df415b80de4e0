// The public types of the lab: values that can be read while a model processes a text, and ways to change how it processes one.
import type { FeatureDictionary } from './features.js'
import type { AttentionOf, AttentionToken, NamedToken, Prompt, TextRead, TokenProbability } from './text.js'

/**
 * Positions of a text, from 0; negative ones count from its end. In a text that is generated, they count from the end of its
 * prompt, and future positions are allowed.
 */
export type EditPositions = 'all' | readonly number[]

/** Adds to the state after a layer (activation addition, arXiv:2308.10248). */
export interface AddEdit {
  /** `info.width` numbers. */
  readonly add: ArrayLike<number>
  /** From 0; -1 for the input of layer 0. */
  readonly layer: number
  /** A factor of `add`. Default: 1. */
  readonly scale?: number
  /** Default: `all`. */
  readonly positions?: EditPositions
}

/**
 * Replaces the state after a layer (`info.width` numbers), or a head's output before the output matrix (as many numbers as its
 * values have, in most models `info.headDim`).
 */
export type ReplaceEdit =
  | { readonly replace: ArrayLike<number>; readonly layer: number; readonly positions?: EditPositions }
  | {
      readonly replace: ArrayLike<number>
      readonly head: readonly [layer: number, head: number]
      readonly positions?: EditPositions
    }

/**
 * Activation patching (arXiv:2202.05262): replaces the state after a layer by the state of another text in the unmodified model.
 */
export interface PatchEdit {
  /** The other text. */
  readonly patch: Prompt
  /** From 0; -1 for the input of layer 0. */
  readonly layer: number
  /** Pairs of a position in this text and one in the other text; negative ones count from the end. */
  readonly positions: readonly (readonly [here: number, there: number])[]
}

/**
 * Multiplies the output of a head of softmax attention by a factor (0 ablates it), or replaces it by its mean over another text.
 */
export type HeadEdit =
  | { readonly head: readonly [layer: number, head: number]; readonly scale: number; readonly positions?: EditPositions }
  | { readonly head: readonly [layer: number, head: number]; readonly mean: Prompt; readonly positions?: EditPositions }

/**
 * Edits the value at a writable point (`Model.trace` lists the points): adds to it, replaces it, multiplies it by a factor, or
 * replaces it by the value in another text, at its positions or on average.
 * `heads`: only these, at points that have heads (or experts, by rank). A vector is as long as the last axis of the point.
 */
export type PointEdit = {
  readonly at: string
  /** Default: all. */
  readonly heads?: readonly number[]
} & (
  | { readonly patch: Prompt; readonly positions: PatchEdit['positions'] }
  | ({
      /** Default: `all`. */
      readonly positions?: EditPositions
    } & (
      | { readonly add: ArrayLike<number>; readonly scale?: number }
      | { readonly replace: ArrayLike<number> }
      | { readonly scale: number }
      | { readonly mean: Prompt }
    ))
)

/** Attention knockout (arXiv:2304.14767): the queries do not see the keys; the softmax runs over the other keys. */
export interface CutEdit {
  readonly cut: {
    readonly layer: number
    /** Default: all heads of the layer. */
    readonly head?: number
    /** The position or positions that do not see the key. */
    readonly query: number | readonly number[]
    /** The position or positions that are not seen. */
    readonly key: number | readonly number[]
  }
}

/**
 * Changes a feature at the output point of its dictionary: `scale` adds the decoder's row multiplied by it (steering); `clamp` sets
 * the activation, and leaves the error of the reconstruction as it is. Also applies while a text is generated, token by token.
 */
export type FeatureEdit = {
  readonly feature: readonly [sae: FeatureDictionary, feature: number]
  /** Default: `all`. */
  readonly positions?: EditPositions
} & ({ readonly scale: number } | { readonly clamp: number })

/** Replaces the value by its reconstruction, which lacks what the dictionary does not explain. */
export interface SpliceEdit {
  readonly splice: FeatureDictionary
  readonly positions?: EditPositions
}

/** A change of values during a pass. */
export type Edit = AddEdit | ReplaceEdit | PatchEdit | HeadEdit | PointEdit | CutEdit | FeatureEdit | SpliceEdit

/** The values at a point. */
export interface Tensor {
  /** The point's name, in which layers count from 0. */
  readonly point: string
  /**
   * The meaning of each axis: tokens and channels, with heads or experts between them; heads and tokens, and
   * channels if each has its own gate; or heads, queries and keys.
   */
  readonly axes: readonly string[]
  /** The length of each axis. */
  readonly shape: readonly number[]
  /** Row by row. Scores of keys that a query does not see are -Infinity. */
  readonly data: Float32Array
}

/** The values at points of a pass. */
export interface Trace extends TextRead {
  /** The tokens of the source text, for an encoder-decoder. */
  readonly sourceTokens?: readonly AttentionToken[]
  /** The positions that were read, in that order. */
  readonly positions: readonly number[]
  /** One for each requested point. */
  readonly tensors: readonly Tensor[]
}

/** The residual stream of a text. */
export interface Hidden extends TextRead {
  /** The layers in `states`, in that order; -1 is the input of layer 0. */
  readonly layers: readonly number[]
  /** The positions in `states`, in that order. */
  readonly positions: readonly number[]
  /** `[layer]`: positions x D, row by row: the input of the next layer's first norm. */
  readonly states: readonly Float32Array[]
}

/** A direction in the residual stream. */
export interface Direction {
  readonly layer: number
  /** `info.width` numbers, for `{ add: vector, layer }`. */
  readonly vector: Float32Array
  /**
   * The direction as a control vector, a GGUF file that llama.cpp also reads. Throws `unsupported` for layers below 1, which such
   * files lack.
   */
  save(): Uint8Array
}

/** A layer's prediction at one position. */
export interface LensPrediction {
  /** The most probable next tokens, best first. */
  readonly top: readonly TokenProbability[]
  /** Natural logarithms of the probabilities of the requested tokens. */
  readonly logprobs: readonly number[]
}

export interface LensLayer {
  readonly layer: number
  /** One prediction for each of the lens's `positions`. */
  readonly predictions: readonly LensPrediction[]
}

/** The logit lens: the final norm and the head, applied to the state after each layer. */
export interface Lens extends TextRead {
  /** The positions that were read. */
  readonly positions: readonly number[]
  /** The requested tokens, whose log-probabilities are in `logprobs`. */
  readonly watched: readonly NamedToken[]
  readonly layers: readonly LensLayer[]
}

/** The probability of a text according to the model. */
export interface Score {
  /**
   * The scored tokens: all except the first of the text, which follows nothing, and tokens of images, which have no probability.
   */
  readonly tokens: readonly AttentionToken[]
  /** The natural logarithm of each token's probability, given all tokens before it. */
  readonly logProbs: Float32Array
  /** The sum of `logProbs`: the logarithm of the probability of the tokens. */
  readonly sum: number
  /** `sum` divided by the number of tokens; NaN without any. */
  readonly mean: number
  /** e^-mean. */
  readonly perplexity: number
}

/** The score of a continuation's tokens. */
export interface ContinuationScore extends Score {
  /** The index of the continuation. */
  readonly index: number
}

/**
 * How a head attends in a random sequence that occurs twice: for each kind of key, its mean attention weight, from 0 to 1, over the
 * queries that have such a key. A key outside of the query's window counts as 0.
 */
export interface HeadScores {
  readonly layer: number
  readonly head: number
  /** The weight on the previous token. */
  readonly previousToken: number
  /** The weight on the earlier copy of the query's own token. */
  readonly duplicateToken: number
  /** The weight on the token after the earlier copy: induction heads (arXiv:2209.11895). */
  readonly induction: number
  /** The weight on the first token of the text, which models use as an attention sink (arXiv:2309.17453). */
  readonly firstToken: number
}

/**
 * Direct logit attribution: the parts of a token's logit that each component wrote into the residual stream, with the final norm's
 * divisor held constant. What a head does through later layers is not in its part. A head's part includes the effect of adapters
 * and edits on its output.
 */
export interface Attribution extends TextRead {
  readonly token: NamedToken
  /** The token whose logit is subtracted, if one is: each part is then a difference. */
  readonly against?: NamedToken
  readonly position: number
  /** The input of layer 0, including edits; for a token of an image, the projector's row. */
  readonly embedding: number
  /** `[layer][head]`, for softmax attention and the gated delta rule; empty for other layers. */
  readonly heads: readonly (readonly number[])[]
  /** `[layer]`: the bias of the attention's output matrix. */
  readonly attentionBias: readonly number[]
  /**
   * `[layer]`: everything else that the layer added, including edits of the state after it and the projector's rows for the layer
   * (Qwen3-VL).
   */
  readonly mlp: readonly number[]
  /** `[layer]`: what the chosen experts contribute to `mlp`, best first; absent in models without experts. */
  readonly experts?: readonly (readonly { readonly expert: number; readonly part: number }[])[]
  /** From the biases of the final norm and of the output head. */
  readonly constant: number
  /** The sum of all of these: the logit before a soft cap. */
  readonly sum: number
  /** The same logit, computed from the last state: differs from `sum` by rounding. */
  readonly beforeCap: number
  /** The model's own logit, or the difference of two. */
  readonly logit: number
}

/**
 * The steps from one query of a head to its weights: `dots` are query x key; multiplied by `scale`, passed through `softCap *
 * tanh(score / softCap)` if there is a soft cap, and with `bias` added if there is one, they are `scores`; `weights` are their
 * softmax over the tokens that the query sees and the `sink`, if there is one. In a layer without attention, it sees none.
 */
export interface AttentionParts extends TextRead {
  /** The K tokens that can be attended to: `tokens`, except for `cross`. */
  readonly keys: readonly AttentionToken[]
  readonly of: AttentionOf
  readonly layer: number
  readonly head: number
  /** The position of the token that attends. */
  readonly query: number
  /** The first of `keys` that the query sees. */
  readonly from: number
  /** The end of what it sees: the others of `keys` are masked. The arrays below have N = to - from items. */
  readonly to: number
  readonly scale: number
  /** Bounds the scaled scores; absent in models without it. */
  readonly softCap?: number
  /** A score that takes part in the softmax but belongs to no token (gpt-oss); absent in models without it. */
  readonly sink?: number
  /** A bias that depends on the distance, added to each score (ALiBi, T5); absent in models without it. */
  readonly bias?: Float32Array
  /**
   * The query after its norm and rotation (RoPE), as the engine multiplies it. If RoPE rotates neighboring pairs, the file's rows
   * are sorted into halves, in queries and keys alike.
   */
  readonly queryVector: Float32Array
  /**
   * The keys after norm and rotation, as they are cached. In latent attention (DeepSeek), they may be the latent vectors, with a
   * query to match.
   */
  readonly keyVectors: readonly Float32Array[]
  /** In double precision, as are `scores`. */
  readonly dots: Float64Array
  readonly scores: Float64Array
  /** As the engine computed them: the weights of `attention`. */
  readonly weights: Float32Array
}

/** The norms of a text's values as they enter the residual stream. */
export interface ValueNorms extends TextRead {
  readonly of: 'decoder' | 'encoder'
  /** The layers in `norms`, in that order. */
  readonly layers: readonly number[]
  /** The heads in `norms`, in that order. */
  readonly heads: readonly number[]
  /**
   * `[layer][head]`: for each token, the Euclidean norm of its value after the head's part of the output matrix; 0 without
   * attention.
   */
  readonly norms: readonly (readonly Float32Array[])[]
}
