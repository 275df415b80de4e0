// Written by tools/contract from api/: the public types of options.
import type { FeatureDictionary } from './features.js'
import type { CollectProgress, CollectState, CollectTarget, SweepProgress, SweepState } from './lab-room.js'
import type { LoadProgress } from './loading.js'
import type { HubOptions, ReadOptions, TokenizeOptions } from './options.generated.js'
import type { Prompt } from './text.js'
import type { WebAbortSignal } from './web.js'

/** Features whose largest activations to keep. */
export interface CollectExamples {
  /** What `loadFeatures` gives. */
  sae: FeatureDictionary
  /** Features, from 0. */
  features: readonly number[]
  /** Number of tokens to keep for each. At least 1. Default: 10. */
  top?: number
}

export interface CollectOptions extends ReadOptions {
  /** Names of points, as for `trace`, which have a row for each token. */
  points: readonly string[]
  /**
   * Positions of each text, from 0; negative ones count from the end; those that a text does not have are left out. Default: all.
   */
  positions?: readonly number[] | 'all' | 'last'
  /** Only positions with one of these tokens, by their exact text or id. Default: any. */
  tokens?: readonly (string | number)[]
  /**
   * Where the values go. With `statistics`, the statistics go there instead (POINT.count, POINT.mean, POINT.covariance). Default:
   * nowhere, if `statistics` or `examples` are wanted.
   */
  to?: CollectTarget
  /** The format, if `to` is a stream or a file. Default: `npy` for one point, `safetensors` for several. */
  as?: 'npy' | 'npz' | 'safetensors'
  /** Default: `float32`. */
  type?: 'float32' | 'float16'
  /** Returns the mean of each point, or mean and covariance. Default: none. */
  statistics?: 'mean' | 'covariance'
  /** Returns the tokens at which features are largest. */
  examples?: CollectExamples
  /** The state of an earlier call with the same options, as `onProgress` had it: goes on after its texts, in the same file. */
  resume?: CollectState
  /** Called after each text. */
  onProgress?: (progress: CollectProgress) => void
}

export interface CompareOptions extends TokenizeOptions {
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface FeatureEffectOptions {
  /** Number of tokens at each end. At least 1. Default: 10. */
  top?: number
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}

export interface FeaturesOptions extends ReadOptions {
  /** What `loadFeatures` gives. */
  sae: FeatureDictionary
  /** Number of features to return for each token. At least 1. Default: 10. */
  top?: number
  /** Whether to return all activations. Default: false. */
  activations?: boolean
  /** Whether to return the reconstructions. Default: false. */
  reconstruction?: boolean
}

export interface LoadFeaturesOptions {
  hub?: HubOptions
  /** As for `loadModel`. At least 1. */
  stallTimeout?: number
  /** Pauses the download: the promise rejects with an `AbortError`, and the next call resumes. */
  signal?: WebAbortSignal
  onProgress?: (progress: LoadProgress) => void
  /** Stores the download for the next time, as for `loadModel`. Default: false. */
  cache?: boolean | 'reload'
  /**
   * The point that it reads, for files that do not say it (Gemma Scope 1), in TransformerLens's words:
   * `blocks.3.hook_resid_post`.
   */
  hook?: string
  /** For a transcoder, the point that it rebuilds. Default: as the files say. */
  hookOut?: string
  /**
   * For dictionaries trained with `expected_average_only_in`: the factor by which values were scaled in training. Files do not
   * contain it, so it is given here. It is folded into the weights. Above 0. Default: 1.
   */
  normScale?: number
}

export interface MeansOptions extends ReadOptions {
  /** Names of points, as for `trace`, which have a row for each token. */
  points: readonly string[]
}

export interface ProbeOptions extends ReadOptions {
  /** A point that has a row for each token, such as `resid.5`. */
  point: string
  /** Whether every token of a text is an example of it, or the last one. Default: `last`. */
  positions?: 'all' | 'last'
  /** The penalty: l2 / 2 times the squared length of the weights, beside the sum over rows. Above 0. Default: 1. */
  l2?: number
  /** Divide each channel by its standard deviation before the penalty. Default: false. */
  standardize?: boolean
}

/** The number that measures a text. */
export interface SweepMetric {
  /**
   * A next token, by its exact text or id: the metric is its logit less that of `against`, or its log-probability. Default: none;
   * the metric is the KL divergence from the clean text.
   */
  token?: string | number
  /** The token whose logit is subtracted. Default: none. */
  against?: string | number
  /** The position before that token, from 0; negative ones count from the end. Default: the last one. */
  position?: number
}

/** The path from one head to another, through no other head (path patching, arXiv:2211.00593). */
export interface SweepPath {
  /** The sender. Default: every head in turn. */
  from?: readonly [layer: number, head: number]
  /** The receiver: a head, of which `via` is replaced, counted as `via` counts them (key and value heads); or the logits. */
  to: readonly [layer: number, head: number] | 'logits'
  /** The receiver's query, key or value: required unless it is the logits. */
  via?: 'q' | 'k' | 'v'
  /**
   * Whether feed-forward blocks on the path are computed from what the sender changes (`recomputed`), or keep their values
   * (`frozen`). Default: `recomputed`.
   */
  mlps?: 'recomputed' | 'frozen'
  /** Whether the divisors of norms are recomputed, or keep their values. Default: `recomputed`. */
  norms?: 'recomputed' | 'frozen'
}

export interface SweepOptions extends ReadOptions {
  /** The text with the behavior to explain. */
  clean: Prompt
  /** A text with as many tokens that lacks it: required unless the sweep ablates. */
  corrupted?: Prompt
  /**
   * The text that runs; values come from the other one. `corrupted` restores the behavior (denoising), `clean` destroys it
   * (noising). Default: `corrupted`, if there is one.
   */
  base?: 'corrupted' | 'clean'
  metric: SweepMetric
  /**
   * The point to patch, without its layer: `resid` (after a layer), `resid_pre`, `resid_mid`, `attn_out`, `mlp_out`, `q`, `k`,
   * `v`, `z`, `weights`, or a point of `trace`, such as `mlp.hidden`. Required unless there is a `path`.
   */
  at?: string
  /**
   * The axes of a cell, the layer first. Along the others, everything is patched at once. Default: `['layer', 'head']` for paths
   * and at points that have heads; otherwise `['layer', 'position']`.
   */
  over?: readonly ('layer' | 'position' | 'head')[]
  /** Layers, from 0. Default: all. */
  layers?: readonly number[]
  /** Heads, from 0; of `k` and `v`, key and value heads. Default: all. */
  heads?: readonly number[]
  /** Positions, from 0; negative ones count from the end. Default: all. */
  positions?: readonly number[]
  /** Sets the cell to zero, or to its mean over all positions of `texts`, instead of patching it. */
  ablate?: 'zero' | 'mean'
  /** The texts of `ablate: mean`. Default: none. */
  texts?: readonly Prompt[]
  path?: SweepPath
  /** The state of an earlier sweep with the same options, as `onProgress` had it: only the remaining cells are computed. */
  resume?: SweepState
  /** Called after each pass. */
  onProgress?: (progress: SweepProgress) => void
}

export interface WeightsOptions {
  /** Rows to read, without the last number: all axes but the last count as rows. Default: all. */
  rows?: readonly [first: number, end: number]
  /** Aborts the call: the promise rejects with an `AbortError`. */
  signal?: WebAbortSignal
}
