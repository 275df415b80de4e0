// Compares two models on the same tokens, such as two quantizations of one model: how far apart predictions and states are.
import type { Hidden, ModelComparison, ModelInfo, Prompt } from '../../types/index.js'
import type { WebAbortSignal } from '../../types/web.js'
import { HeedError, refuse } from '../../wire/errors.js'
import { readList, readPrompt } from '../arguments.js'
import { readLabOptions } from './options.js'
import { pausing } from './pausing.js'

/** The part of a Model that the comparison uses. */
interface Model {
  readonly info: ModelInfo
  tokenize(text: Prompt, options: { addSpecial: boolean; parseSpecial: boolean }): Promise<number[]>
  logits(ids: number[], options: { positions: number[]; signal?: WebAbortSignal }): Promise<Float32Array>
  hidden(ids: number[], options: { signal?: WebAbortSignal }): Promise<Hidden>
}

/** The most logits of one model to have in memory at a time: 64 MB. */
const mostLogits = 2 ** 24

function logProbabilities(logits: Float32Array): Float64Array {
  const most = logits.reduce((greatest, logit) => Math.max(greatest, logit), -Infinity)
  const whole = most + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0))
  return Float64Array.from(logits, logit => logit - whole)
}
const best = (values: Float32Array) => values.reduce((most, value, index) => (value > values[most]! ? index : most), 0)
const squares = (values: Float32Array, others?: Float32Array) =>
  values.reduce((sum, value, index) => sum + (value - (others ? others[index]! : 0)) ** 2, 0)

export async function compareModels(a: Model, b: Model, texts: readonly Prompt[], options: unknown): Promise<ModelComparison> {
  const { addSpecial, parseSpecial, signal } = readLabOptions('compareModels', options)
  readList('compareModels', 'texts', texts, readPrompt)
  const { vocabulary, layers, width } = a.info
  if (b.info.vocabulary !== vocabulary)
    throw new HeedError('invalid-argument', `compareModels: vocabularies of ${vocabulary} and ${b.info.vocabulary} tokens`)
  const haveStates = b.info.layers === layers && b.info.width === width
  const pause = pausing(signal)
  const own = new Float64Array(layers + 1),
    apart = new Float64Array(layers + 1)
  const compared: { tokens: number[]; kl: number[]; agree: boolean[] }[] = []
  for (const text of texts) {
    const ids =
      Array.isArray(text) && text.every(one => typeof one === 'number')
        ? (text as number[])
        : await a.tokenize(text, { addSpecial, parseSpecial })
    if (ids.length === 0) throw refuse('compareModels: a text has no tokens')
    const kl: number[] = []
    const agree: boolean[] = []
    const atATime = Math.max(1, Math.floor(mostLogits / vocabulary))
    for (let from = 0; from < ids.length; from += atATime) {
      const positions = Array.from({ length: Math.min(atATime, ids.length - from) }, (_, index) => from + index)
      const [first, second] = (await Promise.all([a, b].map(model => model.logits(ids, { positions, signal })))) as [
        Float32Array,
        Float32Array,
      ]
      for (const index of positions.keys()) {
        await pause()
        const rows = [first, second].map(logits => logits.subarray(index * vocabulary, (index + 1) * vocabulary)) as [
          Float32Array,
          Float32Array,
        ]
        const [logP, logQ] = rows.map(logProbabilities) as [Float64Array, Float64Array]
        kl.push(logP.reduce((sum, one, id) => sum + (logQ[id] === one ? 0 : Math.exp(one) * (one - logQ[id]!)), 0))
        agree.push(best(rows[0]) === best(rows[1]))
      }
    }
    compared.push({ tokens: [...ids], kl, agree })
    if (!haveStates) continue
    const [first, second] = (await Promise.all([a, b].map(model => model.hidden(ids, { signal })))) as [Hidden, Hidden]
    first.states.forEach((states, depth) => {
      own[depth]! += squares(states)
      apart[depth]! += squares(states, second.states[depth]!)
    })
  }
  const all = compared.flatMap(({ kl }) => kl)
  const agreeing = compared.flatMap(({ agree }) => agree)
  return {
    texts: compared,
    meanKl: all.reduce((sum, one) => sum + one, 0) / all.length,
    agreement: agreeing.filter(Boolean).length / agreeing.length,
    ...(haveStates && { residual: [...apart].map((one, depth) => Math.sqrt(one / own[depth]!)) }),
  }
}
