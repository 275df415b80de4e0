// The options of calls that inspect a model while it processes a text or an image.
import { group } from './define.js'
import {
  count,
  fromEnd,
  indices,
  integer,
  named,
  ofStates,
  oneOf,
  position,
  positions,
  positionsOrAll,
  prompt,
  special,
  stateOfLayer,
  statesOfLayers,
  tokenName,
} from './kinds.js'
import { aborting, ChangeOptions, ReadOptions, TokenizeOptions } from './texts.js'

const all = { byDefault: 'all', absent: '[]' } as const

export const AttentionSelection = group(
  'AttentionSelection',
  {},
  {
    layers: { kind: indices, doc: 'Layers to record, from 0.', ...all },
    heads: { kind: indices, doc: 'Query heads to record, from 0.', ...all },
  },
)

const attentionOf = named('AttentionOf', 'decoder', 'encoder', 'cross')
const of = { kind: attentionOf, byDefault: '`decoder`, or `encoder` if there is no decoder' } as const
const source = {
  kind: prompt,
  doc: 'The source text of an encoder-decoder, for `decoder` and `cross`: required there, an error elsewhere.',
} as const

export const LogitsOptions = group(
  'LogitsOptions',
  { from: [TokenizeOptions, ChangeOptions] },
  {
    positions: {
      kind: positionsOrAll,
      doc: `Positions of the text to return logits for, ${fromEnd}; or \`all\`.`,
      byDefault: 'the last one',
    },
    source: { kind: prompt, doc: 'The source text of an encoder-decoder: required for such a model, an error for others.' },
    ...aborting,
  },
)

export const AttentionOptions = group(
  'AttentionOptions',
  { from: [AttentionSelection, TokenizeOptions, ChangeOptions] },
  {
    of,
    source,
    ...aborting,
  },
)

export const AttentionPartsOptions = group(
  'AttentionPartsOptions',
  { from: [TokenizeOptions, ChangeOptions] },
  {
    layer: { kind: count(0), doc: 'The layer, from 0.', required: true },
    head: { kind: count(0), doc: 'A query head, from 0.', required: true },
    query: { kind: position, doc: `The position of the token that attends, ${fromEnd}.`, byDefault: 'the last one' },
    of,
    source,
    ...aborting,
  },
)

export const ValueNormsOptions = group(
  'ValueNormsOptions',
  { from: [AttentionSelection, TokenizeOptions, ChangeOptions] },
  {
    of: { kind: oneOf('decoder', 'encoder'), byDefault: of.byDefault },
    source: { kind: prompt, doc: 'The source text of an encoder-decoder, for `decoder`: required there, an error elsewhere.' },
    ...aborting,
  },
)

export const GatesOptions = group(
  'GatesOptions',
  { from: [TokenizeOptions] },
  {
    layers: { kind: indices, doc: 'Recurrent layers to record, from 0.', byDefault: 'all of `info.recurrentLayers`', absent: '[]' },
    ...aborting,
  },
)

const layers = {
  kind: statesOfLayers,
  doc: `Layers after which to read, ${ofStates}.`,
  byDefault: 'all of these',
  absent: '[]',
} as const

export const TraceOptions = group(
  'TraceOptions',
  { from: [ReadOptions] },
  {
    points: {
      kind: special('pointNames', 'readonly string[]', 'string[]'),
      doc: 'Names of points, such as `resid.5` and `attn.3.weights`.',
      required: true,
    },
    positions: {
      kind: special('somePlaces', 'readonly number[]', 'number[]'),
      doc: `Positions to read, ${fromEnd}: of tokens, and of queries.`,
      byDefault: 'all',
    },
    source: { kind: prompt, doc: 'The source text of an encoder-decoder: required there, an error elsewhere.' },
  },
)

export const HiddenOptions = group(
  'HiddenOptions',
  { from: [ReadOptions] },
  {
    layers,
    positions: { kind: positions, doc: `Positions to read, ${fromEnd}.`, byDefault: 'all' },
  },
)

export const LensOptions = group(
  'LensOptions',
  { from: [ReadOptions] },
  {
    layers,
    positions: { kind: positionsOrAll, doc: `Positions to read, ${fromEnd}; or \`all\`.`, byDefault: 'the last one' },
    top: { kind: count(0), doc: 'Number of most probable tokens to return.', default: 5 },
    tokens: {
      kind: special('tokenNames', 'readonly (string | number)[]', 'TokenName[]'),
      doc: 'Further tokens whose probabilities to return, by their exact text or id.',
      byDefault: 'none',
      absent: '[]',
    },
  },
)

export const DirectionOptions = group(
  'DirectionOptions',
  { from: [ReadOptions] },
  {
    layer: { kind: stateOfLayer, doc: `The layer after which to read, ${ofStates}.`, required: true },
  },
)

export const ScoreOptions = group(
  'ScoreOptions',
  { from: [ReadOptions] },
  {
    by: {
      kind: oneOf('sum', 'mean'),
      doc: 'How to rank continuations: by the probability of the whole, or by the mean per token.',
      default: 'sum',
      here: true,
    },
  },
)

export const FindHeadsOptions = group(
  'FindHeadsOptions',
  { from: [ChangeOptions] },
  {
    length: {
      kind: count(2),
      doc: 'Number of different tokens in a sequence, which is then repeated once.',
      byDefault: '50, or as many as context and vocabulary allow',
    },
    sequences: { kind: integer(1, 65_536), doc: 'Number of sequences to average over.', default: 4 },
    seed: { kind: integer(0), doc: 'The same seed gives the same sequences.', default: 0 },
    ...aborting,
  },
)

export const AttributeOptions = group(
  'AttributeOptions',
  { from: [ReadOptions] },
  {
    token: {
      kind: tokenName,
      doc: 'The next token whose logit to attribute, by its exact text or id.',
      byDefault: 'the most probable one',
    },
    position: { kind: position, doc: `The position before that token, ${fromEnd}.`, byDefault: 'the last one' },
  },
)

export const ImageAttentionOptions = group('ImageAttentionOptions', { from: [AttentionSelection] }, aborting)
