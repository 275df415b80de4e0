// Converts the engine's answers to the results of the calls that read attention.
import type { Attention, ValueNorms } from '../types/index.js'
import { chosen, shapeOf, splitAttention } from './heads.js'
import type { Inspection } from './inspect.js'

export function attentionOf({ answer, read, info }: Inspection<'attention'>): Attention {
  const { sourceTokens, weights, ...rest } = answer
  const { of } = read,
    shape = shapeOf(info, of)
  const keys = of === 'cross' ? sourceTokens : rest.tokens
  return { ...rest, keys, of, ...chosen(read, shape), weights: splitAttention(weights, read, shape) }
}

export function valueNormsOf({ answer, read, info }: Inspection<'valueNorms'>): ValueNorms {
  const { values, sourceTokens, shapes, ...rest } = answer
  const of = read.of as ValueNorms['of'],
    shape = shapeOf(info, of)
  return { ...rest, of, ...chosen(read, shape), norms: splitAttention(values, read, shape) }
}
