// A sparse autoencoder (arXiv:2309.08600) or a transcoder (arXiv:2406.11944): activations of features from the values at a point, and
// the values that these stand for. Sums are in double precision.
import type { FeatureDictionary } from '../../../types/features.js'
import type { WireDictionary } from '../../../wire/changes.js'
import { refuse } from '../../../wire/errors.js'

export type Normalization = 'none' | 'constant_norm_rescale' | 'layer_norm'

/** What a file says of a dictionary, checked. Matrices are row by row: W_dec one row for each feature. */
export interface Parts {
  kind: 'standard' | 'gated' | 'jumprelu' | 'topk'
  /** The points read and written, in the words of wire/points.ts, such as `resid_post.3`. */
  point: string
  pointOut: string
  isTranscoder: boolean
  width: number
  features: number
  widthOut: number
  encoder: Float32Array
  /** Whether the encoder has a row for each feature, instead of one for each channel. */
  encodesByRow: boolean
  decoder: Float32Array
  /** Of features; of gated ones, that of the gate. */
  bias: Float32Array
  decoderBias: Float32Array
  subtractsBias: boolean
  normalization: Normalization
  threshold?: Float32Array
  /** Whether activations may be negative. */
  isRaw?: boolean
  gate?: { scale: Float32Array; bias: Float32Array }
  /** topk */
  k?: number
  rescales?: boolean
  /** y += x S, with S from `width` rows to `widthOut` columns. */
  skip?: Float32Array
}

/** A value that has been encoded; `undo` takes back the normalization of a reconstruction. */
export interface Encoded {
  activations: Float32Array
  skipped?: Float64Array
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
  /** @internal Set where a dictionary is loaded, because what it does needs dictionaries. */
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

  /** @internal Each of several values, which is faster than one after the other. */
  encode(rows: readonly ArrayLike<number>[]): Encoded[] {
    const { subtractsBias, decoderBias, skip } = this.#parts
    const inputs = rows.map(values => Float64Array.from(values))
    const skipped = skip && products(inputs, skip, this.widthOut)
    const undo = inputs.map(input => this.#normalize(input))
    for (const input of inputs) if (subtractsBias) input.forEach((value, index) => (input[index] = value - decoderBias[index]!))
    return this.#project(inputs).map((sums, index) => ({
      activations: this.#activate(sums),
      skipped: skipped?.[index],
      undo: undo[index]!,
    }))
  }

  /** The activations of one value; changes the sums. */
  #activate(sums: Float64Array): Float32Array {
    const { kind, bias, threshold, isRaw, gate, k, rescales } = this.#parts
    const activations = new Float32Array(this.features)
    if (kind === 'gated') {
      sums.forEach((sum, index) => {
        if (sum + bias[index]! > 0) activations[index] = Math.max(0, sum * Math.exp(gate!.scale[index]!) + gate!.bias[index]!)
      })
    } else {
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

  /** @internal What activations stand for. */
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

  #project(inputs: readonly Float64Array[]): Float64Array[] {
    const { encoder, encodesByRow } = this.#parts
    if (!encodesByRow) return products(inputs, encoder, this.features)
    const all = inputs.map(() => new Float64Array(this.features))
    for (let feature = 0; feature < this.features; feature++) {
      const row = encoder.subarray(feature * this.width, (feature + 1) * this.width)
      inputs.forEach((input, which) => {
        let sum = 0
        for (let index = 0; index < row.length; index++) sum += input[index]! * row[index]!
        all[which]![feature] = sum
      })
    }
    return all
  }

  /** Normalizes in place; the result undoes it. */
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

/** Rows whose products are computed together, so that each number of the matrix is read once for all of them. */
export const together = 4
/** Columns of which the sums stay in the processor's cache. */
const mostColumns = 512

/** x M of each x, with a row of M for each number of x. Numbers are added row by row, however many there are. */
function products(xs: readonly Float64Array[], matrix: Float32Array, columns: number): Float64Array[] {
  const all = xs.map(() => new Float64Array(columns))
  for (let first = 0; first < xs.length; first += together) {
    const inputs = xs.slice(first, first + together)
    for (let from = 0; from < columns; from += mostColumns) {
      const sums = all.slice(first, first + together).map(row => row.subarray(from, from + mostColumns))
      if (inputs.length === together) addFour(inputs, sums, matrix, from, columns)
      else inputs.forEach((input, index) => addOne(input, sums[index]!, matrix, from, columns))
    }
  }
  return all
}

function addOne(x: Float64Array, sums: Float64Array, matrix: Float32Array, from: number, columns: number): void {
  for (let row = 0; row < x.length; row++) {
    const value = x[row]!
    for (let column = 0, at = row * columns + from; column < sums.length; column++, at++) sums[column]! += value * matrix[at]!
  }
}

function addFour(
  [a, b, c, d]: readonly Float64Array[],
  [sumsA, sumsB, sumsC, sumsD]: readonly Float64Array[],
  matrix: Float32Array,
  from: number,
  columns: number,
): void {
  for (let row = 0; row < a!.length; row++) {
    const [ofA, ofB, ofC, ofD] = [a![row]!, b![row]!, c![row]!, d![row]!]
    for (let column = 0, at = row * columns + from; column < sumsA!.length; column++, at++) {
      const weight = matrix[at]!
      sumsA![column]! += ofA * weight
      sumsB![column]! += ofB * weight
      sumsC![column]! += ofC * weight
      sumsD![column]! += ofD * weight
    }
  }
}

/** The indices of the k largest numbers, the largest first; of equal ones, the first. */
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
