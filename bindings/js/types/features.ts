// Dictionaries of features.
/** A sparse autoencoder or a transcoder, which `Model.loadFeatures` reads. */
export interface FeatureDictionary {
  readonly kind: 'standard' | 'gated' | 'jumprelu' | 'topk'
  /** The point whose values it reads, and the one that it rebuilds, as `Model.trace` takes them: such as `resid_post.3`. */
  readonly point: string
  readonly pointOut: string
  readonly isTranscoder: boolean
  /** Numbers of a value at the point, number of features, and numbers of a reconstruction. */
  readonly width: number
  readonly features: number
  readonly widthOut: number
  /** The decoder's row of a feature: what it adds at `pointOut` for an activation of 1. Throws `invalid-argument` for a feature that there is not. */
  direction(feature: number): Float32Array
}
