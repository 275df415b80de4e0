// The features of a text: the activations that a dictionary finds at its point, and how well it reconstructs the values.
import type { FeatureDictionary, FeatureEffect, Features, Prompt } from '../../../types/index.js'
import type { WebAbortSignal } from '../../../types/web.js'
import { refuse } from '../../../wire/errors.js'
import type { WireEdit } from '../../../wire/changes.js'
import type { WirePrompt } from '../../../wire/protocol.js'
import { readPrompt } from '../../arguments.js'
import type { Connection } from '../../connection.js'
import type { Desk } from '../desk.js'
import { matched } from '../../readers.js'
import { dictionary as dictionaryKind } from '../kinds.js'
import { readLabOptions } from '../options.js'
import { numbersOf } from '../results.js'
import { pausing } from '../pausing.js'
import { type Dictionary, type Encoded, largest } from './dictionary.js'
import { multiplier } from './products.js'

export type Text = {
  prompt: WirePrompt
  addSpecial: boolean
  parseSpecial: boolean
  adapters?: [string, number][]
  edits?: WireEdit[]
  positions?: readonly number[]
}

/** The values at points of a text, T x width for each point, and its tokens; with `positions`, only at these. */
export async function valuesAt(connection: Connection, points: readonly string[], text: Text, signal?: AbortSignal) {
  const names = [...new Set(points)]
  const asked = { what: 'points' as const, points: names, of: 'decoder' as const }
  const { tokens, values, shapes } = await connection.call({ type: 'trace', call: 'features', ...text, asked }, { signal })
  const numbers = numbersOf({ values, shapes })
  return { tokens, at: points.map(point => numbers[names.indexOf(point)]!) }
}

/** Rows that are encoded together: a matrix is sent once for all of them. */
const together = 256

/** Encodes each row of the values (rows x width), in order. */
export async function* encodings(
  connection: Connection,
  dictionary: Dictionary,
  values: Float32Array,
  signal?: WebAbortSignal,
): AsyncGenerator<Encoded> {
  const pause = pausing(signal)
  const multiply = multiplier(connection, signal)
  const step = together * dictionary.width
  for (let from = 0; from < values.length; from += step) {
    for (const encoded of await dictionary.encode(values.slice(from, from + step), multiply)) {
      await pause()
      yield encoded
    }
  }
}

export async function features({ connection }: Desk, text: Prompt, options: unknown): Promise<Features> {
  const { sae, top, activations: isWhole, reconstruction: isRebuilt, signal, ...read } = readLabOptions('features', options)
  const dictionary = sae as Dictionary
  const prompt = readPrompt('features', text)
  const { point, pointOut, widthOut, features: count } = dictionary
  const { tokens, at } = await valuesAt(connection, [point, pointOut], { prompt, ...read }, signal)
  const [inputs, targets] = at as [Float32Array, Float32Array]
  const length = tokens.length
  const activations = isWhole ? new Float32Array(length * count) : undefined
  const rebuilt = new Float32Array(length * widthOut)
  const tops: { feature: number; value: number }[][] = []
  const l0: number[] = []
  let token = 0
  for await (const encoded of encodings(connection, dictionary, inputs, signal)) {
    activations?.set(encoded.activations, token * count)
    rebuilt.set(dictionary.decode(encoded), token++ * widthOut)
    l0.push(encoded.activations.reduce((on, value) => on + (value === 0 ? 0 : 1), 0))
    tops.push(
      largest(encoded.activations, top)
        .map(feature => ({ feature, value: encoded.activations[feature]! }))
        .filter(({ value }) => value > 0),
    )
  }
  return {
    tokens,
    point,
    pointOut,
    top: tops,
    l0,
    ...fitOf(targets, rebuilt, widthOut),
    ...(activations && { activations }),
    ...(isRebuilt && { reconstruction: rebuilt }),
  }
}

/** How well the reconstructions match the values. */
function fitOf(values: Float32Array, rebuilt: Float32Array, width: number) {
  const length = values.length / width
  const mean = new Float64Array(width)
  values.forEach((value, index) => (mean[index % width]! += value / length))
  const errorNorms: number[] = []
  let error = 0,
    variance = 0,
    cosine = 0
  for (let token = 0; token < length; token++) {
    let own = 0,
      product = 0,
      squares = 0,
      others = 0
    for (let index = token * width; index < (token + 1) * width; index++) {
      const value = values[index]!,
        other = rebuilt[index]!
      own += (value - other) ** 2
      variance += (value - mean[index % width]!) ** 2
      product += value * other
      squares += value * value
      others += other * other
    }
    error += own
    errorNorms.push(Math.sqrt(own))
    cosine += product / Math.sqrt(squares * others) / length
  }
  return { errorNorms, explainedVariance: 1 - error / variance, mse: error / values.length, cosine }
}

/** How much a feature changes the logits along the direct path. */
export async function featureEffect(
  { connection, info }: Desk,
  given: FeatureDictionary,
  feature: number,
  options: unknown,
): Promise<FeatureEffect> {
  const { top, signal } = readLabOptions('featureEffect', options)
  const dictionary = matched('featureEffect', given, dictionaryKind)
  let vector = dictionary.direction(feature)
  const weights = async (name: string) => (await connection.call({ type: 'weights', name }, { signal })).data
  const [, head] = /^z\.(\d+)$/.exec(dictionary.pointOut) ?? []
  if (head !== undefined) vector = product(await weights(`blk.${head}.attn_output.weight`), vector)
  if (vector.length !== info.width) throw refuse(`featureEffect: ${dictionary.pointOut} is not added to the residual stream`)
  const norm = await weights('output_norm.weight')
  const isLayerNorm = await connection.call({ type: 'weights', name: 'output_norm.bias' }, { signal }).then(
    () => true,
    () => false,
  )
  const mean = isLayerNorm ? vector.reduce((sum, value) => sum + value, 0) / vector.length : 0
  const normed = vector.map((value, index) => (value - mean) * norm[index]!)
  const ends = async (one: Float32Array) => {
    const logits = await connection.call({ type: 'unembed', vector: one }, { signal })
    const named = async (ids: number[]) =>
      Promise.all(
        ids.map(async id => ({
          id,
          text: (await connection.call({
            type: 'detokenize',
            ids: [id],
            special: true,
            tidySpaces: false,
            bytes: false,
          })) as string,
          value: logits[id]!,
        })),
      )
    return {
      top: await named(largest(logits, top)),
      bottom: await named(
        largest(
          logits.map(value => -value),
          top,
        ),
      ),
    }
  }
  return { raw: await ends(vector), normed: await ends(normed) }
}

/** M x, with a row of M for each number of the result. */
const product = (matrix: Float32Array, x: Float32Array) =>
  Float32Array.from({ length: matrix.length / x.length }, (_, row) => {
    let sum = 0
    for (let index = 0, at = row * x.length; index < x.length; index++, at++) sum += matrix[at]! * x[index]!
    return sum
  })
