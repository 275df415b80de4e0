// A sparse autoencoder (arXiv:2309.08600) or a transcoder (arXiv:2406.11944): encodes values at a point as activations of features,
// and decodes these. Products with matrices are in single precision (products.ts), all else in double precision.
import type { FeatureDictionary } from '../../../types/features.js'
import type { WireDictionary } from '../../../wire/changes.js'
import { refuse } from '../../../wire/errors.js'
import type { Matrix, Multiply } from './products.js'

export type Normalization = 'none' | 'constant_norm_rescale' | 'layer_norm'

/** A dictionary's weights and settings as its file has them, checked. The decoder has one row for each feature. */
export interface Parts {
  kind: 'standard' | 'gated' | 'jumprelu' | 'topk'
  /** The points that are read and written, named as in wire/points.ts, such as `resid_post.3`. */
  point: string
  pointOut: string
  isTranscoder: boolean
  width: number
  features: number
  widthOut: number
  encoder: Matrix
  decoder: Float32Array
  /** The encoder's bias for each feature; for a gated dictionary, the gate's bias. */
  bias: Float32Array
  decoderBias: Float32Array
  subtractsBias: boolean
  normalization: Normalization
  threshold?: Float32Array
  /** Whether activations may be negative. */
  isRaw?: boolean
  gate?: { scale: Float32Array; bias: Float32Array }
  /** The number of activations that are kept, for the kind `topk`. */
  k?: number
  rescales?: boolean
  /** The skip connection S of a transcoder: y += x S */
  skip?: Matrix
}

/** An encoded value; `undo` reverts the normalization in its reconstruction. */
export interface Encoded {
  activations: Float32Array
  skipped?: Float32Array
  undo(values: Float64Array): void
}

const nothing = () => {}

export class Dictionary implements FeatureDictionary, WireDictionary {
  readonly #parts: Parts
  #norms?: Float64Array

  constructor(parts: Parts) {
    this.#parts = parts
    const { kind, point, pointOut, isTranscoder, width, features, widthOut } = parts
    Object.assign(this, { kind, point, pointOut, isTranscoder, width, features, widthOut })
  }
  /** @internal Set by `loadFeatures` rather than imported, because its module imports this one. */
  declare readonly run: WireDictionary['run']
  declare readonly kind: Parts['kind']
  declare readonly point: string
  declare readonly pointOut: string
  declare readonly isTranscoder: boolean
  declare readonly width: number
  declare readonly features: number
  declare readonly widthOut: number

  direction(feature: number): Float32Array {
    if (!Number.isInteger(feature) || feature < 0 || feature >= this.features)
      throw refuse(`feature: ${feature} is out of range: the dictionary has ${this.features}`)
    return this.#parts.decoder.slice(feature * this.widthOut, (feature + 1) * this.widthOut)
  }

  /** The lengths of the decoder's rows. */
  #lengths(): Float64Array {
    this.#norms ??= Float64Array.from({ length: this.features }, (_, feature) => {
      let squares = 0
      for (let at = feature * this.widthOut; at < (feature + 1) * this.widthOut; at++) squares += this.#parts.decoder[at]! ** 2
      return Math.sqrt(squares)
    })
    return this.#norms
  }

  /** @internal Encodes several values together (rows x width), which is faster than one by one. */
  async encode(values: Float32Array, multiply: Multiply): Promise<Encoded[]> {
    const { width, features, widthOut } = this
    const { subtractsBias, decoderBias, skip, encoder } = this.#parts
    const rows = values.length / width
    const skipped = skip && (await multiply(values, rows, skip))
    const inputs = new Float32Array(values.length)
    const undo = Array.from({ length: rows }, (_, row) => {
      const input = Float64Array.from(values.subarray(row * width, (row + 1) * width))
      const undone = this.#normalize(input)
      if (subtractsBias) input.forEach((value, index) => (input[index] = value - decoderBias[index]!))
      inputs.set(input, row * width)
      return undone
    })
    const sums = await multiply(inputs, rows, encoder)
    return undo.map((undone, row) => ({
      activations: this.#activate(sums.subarray(row * features, (row + 1) * features)),
      skipped: skipped?.subarray(row * widthOut, (row + 1) * widthOut),
      undo: undone,
    }))
  }

  /** The activations of one value. */
  #activate(products: Float32Array): Float32Array {
    const { kind, bias, threshold, isRaw, gate, k, rescales } = this.#parts
    const activations = new Float32Array(this.features)
    if (kind === 'gated') {
      products.forEach((sum, index) => {
        if (sum + bias[index]! > 0) activations[index] = Math.max(0, sum * Math.exp(gate!.scale[index]!) + gate!.bias[index]!)
      })
    } else {
      const sums = new Float64Array(products)
      sums.forEach((sum, index) => (sums[index] = sum + bias[index]!))
      if (kind === 'topk') {
        if (rescales) sums.forEach((sum, index) => (sums[index] = sum * this.#lengths()[index]!))
        for (const index of largest(sums, k!)) activations[index] = Math.max(0, sums[index]!)
      } else {
        sums.forEach((sum, index) => {
          const isOn = kind === 'standard' || sum > threshold![index]!
          if (isOn && (isRaw || sum > 0)) activations[index] = sum
        })
      }
    }
    return activations
  }

  /** @internal The values that the activations reconstruct. */
  decode({ activations, skipped, undo }: Encoded): Float64Array {
    const { decoder, decoderBias, rescales } = this.#parts
    const { widthOut } = this
    const values = Float64Array.from(decoderBias)
    activations.forEach((activation, feature) => {
      if (activation === 0) return
      const factor = rescales ? activation / this.#lengths()[feature]! : activation
      const from = feature * widthOut
      for (let index = 0; index < widthOut; index++) values[index]! += factor * decoder[from + index]!
    })
    undo(values)
    skipped?.forEach((value, index) => (values[index]! += value))
    return values
  }

  /** Normalizes in place; returns a function that undoes it. */
  #normalize(input: Float64Array): Encoded['undo'] {
    const { normalization, isTranscoder } = this.#parts
    if (normalization === 'none') return nothing
    const { length } = input
    if (normalization === 'constant_norm_rescale') {
      const norm = Math.sqrt(input.reduce((sum, value) => sum + value * value, 0))
      const factor = norm > 0 ? Math.sqrt(length) / norm : 1
      input.forEach((value, index) => (input[index] = value * factor))
      return isTranscoder ? nothing : values => values.forEach((value, index) => (values[index] = value / factor))
    }
    const mean = input.reduce((sum, value) => sum + value, 0) / length
    const deviation = Math.sqrt(input.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (length - 1))
    input.forEach((value, index) => (input[index] = (value - mean) / (deviation + 1e-5)))
    return isTranscoder ? nothing : values => values.forEach((value, index) => (values[index] = value * deviation + mean))
  }
}

/** The indices of the k largest values, the largest first; of equal values, the first come first. */
export function largest(values: ArrayLike<number>, k: number): number[] {
  const best: number[] = []
  for (let index = 0; index < values.length; index++) {
    if (best.length === k && !(values[index]! > values[best[k - 1]!]!)) continue
    let at = best.length
    while (at > 0 && values[index]! > values[best[at - 1]!]!) at--
    best.splice(at, 0, index)
    if (best.length > k) best.pop()
  }
  return best
}
