// Dictionaries of features.
/** A sparse autoencoder or a transcoder, which `Model.loadFeatures` reads. */
export interface FeatureDictionary {
  readonly kind: 'standard' | 'gated' | 'jumprelu' | 'topk'
  /** The point whose values it reads, named as for `Model.trace`, such as `resid_post.3`. */
  readonly point: string
  /** The point whose values it reconstructs. */
  readonly pointOut: string
  readonly isTranscoder: boolean
  /** The length of a value at `point`. */
  readonly width: number
  /** The number of features. */
  readonly features: number
  /** The length of a reconstruction. */
  readonly widthOut: number
  /**
   * The decoder's row of a feature: what it adds at `pointOut` for an activation of 1. Throws `invalid-argument` if there is no
   * such feature.
   */
  direction(feature: number): Float32Array
}
