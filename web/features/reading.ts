// The features of a text, as the page shows them.
import type { FeatureDictionary, Features, Model } from 'heed'
import type { PassageToken } from 'heed/viewer'
import { csv } from '../support/save.js'
import { npy } from '../support/npy.js'
import { TableDrawing } from '../support/table-drawing.js'
import { visible } from '../support/words.js'

/** The most tokens to show, from the end of the text. */
const mostTokens = 200
/** Features shown under a token. */
export const shownOfEach = 3

export interface Reading {
  readonly tokens: readonly PassageToken[]
  /** The position of the first token that is shown. */
  readonly first: number
  readonly sae: FeatureDictionary
  readonly found: Features & { readonly activations: Float32Array }
}

export async function readFeatures(model: Model, sae: FeatureDictionary, tokens: readonly PassageToken[], signal: AbortSignal) {
  const found = await model.features(
    tokens.map(({ id }) => id),
    { sae, top: shownOfEach, activations: true, signal },
  )
  return { tokens, sae, first: Math.max(0, tokens.length - mostTokens), found: found as Reading['found'] } satisfies Reading
}

/** The positions in the text at which a feature is active, largest value first. */
export function placesOf({ tokens, sae, found }: Reading, feature: number): { position: number; value: number }[] {
  return tokens
    .map((_, position) => ({ position, value: found.activations[position * sae.features + feature]! }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
}

/** All active features, as CSV. */
export function csvOf({ tokens, sae, found }: Reading, nameOf: (feature: number) => string | undefined): string {
  const lines: (string | number)[][] = [['position', 'token', 'feature', 'name', 'value']]
  tokens.forEach(({ text }, position) => {
    for (let feature = 0; feature < sae.features; feature++) {
      const value = found.activations[position * sae.features + feature]!
      if (value !== 0) lines.push([position, text, feature, nameOf(feature) ?? '', value])
    }
  })
  return csv(lines)
}

/** The activations, tokens x features, as an npy file. */
export const npyOf = ({ tokens, sae, found }: Reading): Blob => npy([tokens.length, sae.features], found.activations)

/** The value that is shown in the full color. */
export const largestOf = ({ found, first }: Reading): number =>
  found.top.slice(first).reduce((most, [best]) => Math.max(most, best?.value ?? 0), 1e-9)

export function svgOf(reading: Reading, nameOf: (feature: number) => string | undefined, styled: HTMLElement): string {
  const { tokens, first, found } = reading
  const most = largestOf(reading)
  const drawing = new TableDrawing(tokens.length - first, shownOfEach, styled)
  for (let row = 0; row < shownOfEach; row++) drawing.write(`${row + 1}.`, -1, row + 1)
  tokens.slice(first).forEach((token, column) => {
    drawing.write(visible(token), column, 0)
    found.top[first + column]!.forEach(({ feature, value }, row) => {
      drawing.fill(column, row + 1, '--lens', value / most)
      drawing.write(nameOf(feature) ?? `${feature}`, column, row + 1)
    })
  })
  return drawing.toString()
}
