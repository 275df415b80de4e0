// The state of the features that are shown, for links.

export interface LinkedFeatures {
  /** The name of a dictionary that is served with the page. */
  readonly sae?: string
  readonly feature?: number
  /** How many times its direction is added. */
  readonly scale?: number
}

/** Parses a link's JSON; undefined if it is not valid. */
export function featuresIn(text: string): LinkedFeatures | undefined {
  try {
    const { sae, feature, scale, ...rest } = JSON.parse(text) as Record<string, unknown>
    const isName = sae === undefined || (typeof sae === 'string' && sae.length <= 100)
    const isFeature = feature === undefined || (Number.isInteger(feature) && (feature as number) >= 0)
    const isScale = scale === undefined || Number.isFinite(scale)
    return isName && isFeature && isScale && Object.keys(rest).length === 0
      ? ({ sae, feature, scale } as LinkedFeatures)
      : undefined
  } catch {
    return undefined
  }
}
