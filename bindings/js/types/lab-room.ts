// The public results of the lab's larger calls.
import type { ModelSource } from './loading.js'
import type { AttentionToken, NamedToken } from './text.js'
import type { WebBlob, WebFile, WebUrl, WebWritableStream } from './web.js'

/** What a sweep has computed, as plain data that can be stored as JSON, for `resume`. */
export interface SweepState {
  /** A hash of the sweep's options. */
  readonly plan: number
  /** The metric of the first cells; null for a layer that lacks the point. */
  readonly values: readonly (number | null)[]
}

export interface SweepProgress {
  /** Number of cells computed so far. */
  readonly done: number
  readonly total: number
  readonly state: SweepState
}

/** A table of patches or ablations. */
export interface Sweep {
  /** What the axes of the table are, such as `['layer', 'position']`. */
  readonly axes: readonly ('layer' | 'position' | 'head')[]
  /** The length of each axis. */
  readonly shape: readonly number[]
  /** For each axis, its layers, positions or heads. */
  readonly indices: readonly (readonly number[])[]
  /** The tokens of the text that ran. */
  readonly tokens: readonly AttentionToken[]
  /** The metric of the unmodified clean text. */
  readonly clean: number
  /** The metric of the unmodified corrupted text, if there is one. */
  readonly corrupted?: number
  /** The metric of each cell, row by row; NaN for a layer that lacks the point. */
  readonly values: Float64Array
  /** `values` minus the metric of the unmodified text that ran. */
  readonly effects: Float64Array
  /** (value - corrupted) / (clean - corrupted): 0 as the corrupted text, 1 as the clean one. Absent without a corrupted text. */
  readonly normalized?: Float64Array
}

/**
 * A folder, a URL or `hf:OWNER/REPOSITORY/FOLDER` with the files of a dictionary (SAELens: `cfg.json`, `sae_weights.safetensors`;
 * Gemma Scope: `params.npz`, or `config.json`, `params.safetensors`), or one of its files (circuit-tracer: `layer_3.safetensors`
 * beside `config.yaml`); the files themselves; or an object from their names to sources.
 */
export type FeaturesSource = string | WebUrl | WebBlob | readonly WebFile[] | Readonly<Record<string, ModelSource>>

export interface FeatureValue {
  readonly feature: number
  readonly value: number
}

/** The features of a text. */
export interface Features {
  /** All T tokens of the text. */
  readonly tokens: readonly AttentionToken[]
  readonly point: string
  readonly pointOut: string
  /** For each token, the features with the largest activations above 0, the largest first. */
  readonly top: readonly (readonly FeatureValue[])[]
  /** For each token, the number of features with an activation other than 0. */
  readonly l0: readonly number[]
  /** For each token, the length of the error: the value at `pointOut` less its reconstruction. */
  readonly errorNorms: readonly number[]
  /** 1 - (squared errors) / (squared distances from the mean over tokens), of all tokens and channels together; may be negative. */
  readonly explainedVariance: number
  /** The mean squared error. */
  readonly mse: number
  /** The mean cosine of value and reconstruction. */
  readonly cosine: number
  /** T x features, with the option `activations`. */
  readonly activations?: Float32Array
  /** T x `widthOut`, with the option `reconstruction`. */
  readonly reconstruction?: Float32Array
}

export interface EffectToken extends NamedToken {
  readonly value: number
}

/** The tokens whose logits a feature raises and lowers most, by the direct path from its decoder's row to the output head. */
export interface FeatureEffect {
  /** Through the output head's matrix alone. */
  readonly raw: { readonly top: readonly EffectToken[]; readonly bottom: readonly EffectToken[] }
  /** Through the final norm's weight and the output head's matrix; the norm's divisor is left out. */
  readonly normed: { readonly top: readonly EffectToken[]; readonly bottom: readonly EffectToken[] }
}

/**
 * Where the values of a collection go: into memory, as the bytes of a file of this format; into a stream; or into a file that can
 * be written at any place: a `FileSystemWritableFileStream`, or a file handle of Node.
 */
export type CollectTarget = 'npy' | 'npz' | 'safetensors' | WebWritableStream | NodeFileHandle
/** The part of Node's `FileHandle` that is used. */
export interface NodeFileHandle {
  readonly fd: number
  write(data: Uint8Array, offset: number, length: number, position: number): Promise<unknown>
}

/** What a collection has read so far, for `resume`; it can be stored by structured clone (IndexedDB). */
export interface CollectState {
  /** Number of texts read, counted from the first. */
  readonly texts: number
  readonly sums?: readonly number[]
  readonly statistics?: readonly { readonly count: number; readonly mean: Float64Array; readonly products?: Float64Array }[]
  readonly examples?: readonly FeatureExamples[]
}

export interface CollectProgress {
  /** Number of texts read so far. */
  readonly done: number
  readonly total: number
  /** Number of rows so far. */
  readonly rows: number
  readonly state: CollectState
}

export interface PointStatistics {
  readonly point: string
  readonly count: number
  readonly mean: Float64Array
  /** D x D, divided by `count` - 1; absent if only the mean was asked for. */
  readonly covariance?: Float64Array
}

/** The tokens at which a feature is largest. */
export interface FeatureExamples {
  readonly feature: number
  /** The number of tokens at which the feature is active. */
  readonly count: number
  /** Tokens with the largest values, the largest first. */
  readonly examples: readonly { readonly text: number; readonly position: number; readonly value: number }[]
}

/** The values at points of many texts: a row for each token, text after text. */
export interface Collection {
  readonly rows: number
  readonly points: readonly { readonly point: string; readonly width: number }[]
  /** The bytes of the file, if `to` is a format. */
  readonly file?: Uint8Array<ArrayBuffer>
  readonly statistics?: readonly PointStatistics[]
  readonly examples?: readonly FeatureExamples[]
}

/** A logistic regression that tells texts apart by the values at a point. */
export interface Probe {
  readonly point: string
  /** For values as they are, not standardized: the log-odds are weights x value + bias. */
  readonly weights: Float64Array
  readonly bias: number
  /** The weights at length 1, for `{ add: direction, layer }` or `{ at: point, add: direction }`. */
  readonly direction: Float32Array
  /** The loss at the optimum, including the penalty. */
  readonly loss: number
  /** The fraction of rows that it classifies correctly. */
  readonly accuracy: number
  /** The number of rows. */
  readonly rows: number
  /** The log-odds that a value belongs to the first list of texts. */
  score(values: ArrayLike<number>): number
}

/** How far the second model, b, is from the first, a. */
export interface ModelComparison {
  /** For each text and position the KL divergence of the next token, and whether both find the same token most probable. */
  readonly texts: readonly {
    readonly tokens: readonly number[]
    readonly kl: readonly number[]
    readonly agree: readonly boolean[]
  }[]
  readonly meanKl: number
  /** The share of positions at which they agree. */
  readonly agreement: number
  /** For the input of layer 0, then after each layer: |b - a| / |a|, over all texts. Absent for models of different shapes. */
  readonly residual?: readonly number[]
}

/** A tensor of a model's file, dequantized. */
export interface WeightTensor {
  /** The length of each axis, outermost first. */
  readonly shape: readonly number[]
  readonly data: Float32Array
}
