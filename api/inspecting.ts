// The options of calls that inspect a model while it processes a text or an image.
import { type Call, type Group, group, type Reading } from './define.js'
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
    against: {
      kind: tokenName,
      doc: 'A second token: the difference of the two logits is attributed.',
      byDefault: 'none',
    },
    position: { kind: position, doc: `The position before that token, ${fromEnd}.`, byDefault: 'the last one' },
  },
)

export const ImageAttentionOptions = group('ImageAttentionOptions', { from: [AttentionSelection] }, aborting)

const reading = (options: Group, made: Pick<Reading, 'result' | 'what' | 'madeIn'>, doc: string, ...examples: string[]): Call => ({
  of: ['Model'],
  options,
  reading: { ...made, doc, examples },
})

/** The calls that read the inside of a model while it processes a text. */
export const readings = {
  attention: reading(
    AttentionOptions,
    { result: 'Attention', what: 'attention', madeIn: 'page' },
    "The attention weights of each token of a text. For an encoder-decoder, the text is the decoder's output, after `info.decoderStart`, and `source` is the encoder's input; for its `encoder` alone, the text is the encoder's input. Fails with `context-overflow`, `invalid-argument` or `aborted`.",
    `const { tokens, weights } = await model.attention('The fox was tired.', { layers: [2] })
weights[0]![3]   // layer 2, head 3: T x T, row q is what token q attends to`,
    `const { images, weights } = await vlm.attention([{ image }, 'A fox.'])   // loaded with a projector
images![0]!.patches[0]   // the first token of the image: its position, and the rectangle that it was made from`,
  ),
  attentionParts: reading(
    AttentionPartsOptions,
    { result: 'AttentionParts', what: 'parts', madeIn: 'lab' },
    "The computation of one token's attention weights in one head: the query, the keys, their products, and the steps from these to the weights. Fails with `context-overflow`, `invalid-argument`, `network` (if lab.js cannot be loaded) or `aborted`.",
    `const { queryVector, keyVectors, scale, scores, weights } = await model.attentionParts('The fox was tired.', { layer: 2, head: 3 })
const sum = scores.reduce((sum, score) => sum + Math.exp(score), 0)
Math.exp(scores[1]!) / sum   // weights[1], where there is no sink`,
  ),
  valueNorms: reading(
    ValueNormsOptions,
    { result: 'ValueNorms', what: 'norms', madeIn: 'page' },
    "The norm of each token's value after a head's part of the output matrix, as it enters the residual stream: a weight times this norm measures the token's contribution (arXiv:2004.10102). A norm that may follow in the block is not applied.\n\nFails with `unsupported` for heads with gates, `context-overflow`, `invalid-argument` or `aborted`.",
    `const { norms } = await model.valueNorms('The fox was tired.', { layers: [2] })
norms[0]![3]   // layer 2, head 3: a number for each token`,
  ),
  gates: reading(
    GatesOptions,
    { result: 'Gates', what: 'gates', madeIn: 'lab' },
    'The gates of recurrent layers (Mamba, RWKV, delta rules), which control how much of a text they retain, token by token. A head of Mamba 1 is a channel. Where each channel of a head has a gate of its own, this is their mean; `trace` has them all. Fails with `unsupported` if the model has no such layers, `context-overflow`, `invalid-argument` or `aborted`.',
    `const { tokens, decay } = await model.gates('The fox was tired.')
decay[0]![3]   // the first recurrent layer, head 3: how much of its state each token keeps`,
  ),
  trace: reading(
    TraceOptions,
    { result: 'Trace', what: 'points', madeIn: 'lab' },
    "The values at named points of a pass over a text: `embed`; of each layer L `attn.L.query`, `.key`, `.value`, `.scores`, `.weights` and `.out`, `head.L` (each head's output), `mlp.L.hidden` and `.out`, `router.L`, `gate.L.decay`, `.write` and `.out`, and `resid.L`; `logits`. Points of an encoder begin with `encoder.`, of the attention to it with `cross.`. Positions below 0 count from the end. Fails with `invalid-argument`, listing the model's points, if one does not exist; `context-overflow` or `aborted`.",
    `const { tensors } = await model.trace('The fox was tired.', { points: ['resid.5', 'attn.3.weights', 'mlp.4.out'], positions: [-1] })
tensors[0].shape   // [1, info.width]`,
  ),
  hidden: reading(
    HiddenOptions,
    { result: 'Hidden', madeIn: 'lab' },
    'The residual stream of a text: the state after each layer, at each position. Fails with `unsupported` if the model has no decoder, or an encoder beside it; `context-overflow`, `invalid-argument` or `aborted`.',
    `const { states } = await model.hidden('The fox was tired.', { layers: [0, 5], positions: [-1] })
states[1]   // after layer 5, at the last position: info.width numbers`,
    `const { states, images } = await vlm.hidden([{ image: file }, 'A fox.'], { layers: [5] })   // loaded with a projector
images![0]!.patches[0]!.position   // whose state is that of the first token of the image`,
  ),
  lens: reading(
    LensOptions,
    { result: 'Lens', madeIn: 'lab' },
    "Each layer's prediction of the next token: the logit lens, which applies the model's final norm and head to the state after each layer. Fails as `hidden` does, and with `invalid-argument` for one of `tokens` that the vocabulary lacks.",
    `const { layers } = await model.lens('Once upon a time', { tokens: [' there'] })
for (const { layer, predictions: [last] } of layers) console.log(layer, last!.top[0]!.text, last!.logprobs[0])`,
  ),
  attribute: reading(
    AttributeOptions,
    { result: 'Attribution' },
    'The contributions of the embedding, each head and each MLP to the logit of a next token, which add up to it (direct logit attribution); or, with `against`, to the difference of two logits. Fails as `hidden` does, and with `unsupported` for families whose residual stream is not a plain sum.',
    `const { heads, mlp } = await model.attribute('Once upon a time', { token: ' there' })
heads[2]![3]   // what head 3 of layer 2 adds to the logit`,
    `const { sum, mlp } = await model.attribute('The fox was tired. The', { token: ' fox', against: ' owl' })`,
  ),
}
