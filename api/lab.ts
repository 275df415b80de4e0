// The options of the lab's larger calls, which read or change a model over many texts or many runs.
import { group } from './define.js'
import {
  boolean,
  callback,
  count,
  fromEnd,
  indices,
  number,
  oneOf,
  position,
  positions,
  prompt,
  special,
  text,
  tokenName,
} from './kinds.js'
import { AdapterOptions } from './loading.js'
import { aborting, ReadOptions, TokenizeOptions } from './texts.js'

const own = { file: 'types/lab-options.generated.ts' } as const

export const SweepMetric = group(
  'SweepMetric',
  { doc: 'The number that measures a text.', ...own },
  {
    token: {
      kind: tokenName,
      doc: 'A next token, by its exact text or id: the metric is its logit less that of `against`, or its log-probability.',
      byDefault: 'none; the metric is the KL divergence from the clean text',
    },
    against: { kind: tokenName, doc: 'The token whose logit is subtracted.', byDefault: 'none' },
    position: { kind: position, doc: `The position before that token, ${fromEnd}.`, byDefault: 'the last one' },
  },
)

const held = oneOf('recomputed', 'frozen')

export const SweepPath = group(
  'SweepPath',
  { doc: 'The path from one head to another, through no other head (path patching, arXiv:2211.00593).', ...own },
  {
    from: {
      kind: special('headPlace', 'readonly [layer: number, head: number]'),
      doc: 'The sender.',
      byDefault: 'every head in turn',
    },
    to: {
      kind: special('receiver', "readonly [layer: number, head: number] | 'logits'"),
      doc: 'The receiver: a head, of which `via` is replaced, counted as `via` counts them (key and value heads); or the logits.',
      required: true,
    },
    via: { kind: oneOf('q', 'k', 'v'), doc: "The receiver's query, key or value: required unless it is the logits." },
    mlps: {
      kind: held,
      doc: 'Whether feed-forward blocks on the path are computed from what the sender changes (`recomputed`), or keep their values (`frozen`).',
      default: 'recomputed',
    },
    norms: { kind: held, doc: 'Whether the divisors of norms are recomputed, or keep their values.', default: 'recomputed' },
  },
)

export const SweepOptions = group(
  'SweepOptions',
  { from: [ReadOptions], ...own },
  {
    clean: { kind: prompt, doc: 'The text with the behavior to explain.', required: true },
    corrupted: {
      kind: prompt,
      doc: 'A text with as many tokens that lacks it: required unless the sweep ablates.',
    },
    base: {
      kind: oneOf('corrupted', 'clean'),
      doc: 'The text that runs; values come from the other one. `corrupted` restores the behavior (denoising), `clean` destroys it (noising).',
      byDefault: '`corrupted`, if there is one',
    },
    metric: { kind: special('object(sweepMetric)', 'SweepMetric'), required: true },
    at: {
      kind: text,
      doc: 'The point to patch, without its layer: `resid` (after a layer), `resid_pre`, `resid_mid`, `attn_out`, `mlp_out`, `q`, `k`, `v`, `z`, `weights`, or a point of `trace`, such as `mlp.hidden`. Required unless there is a `path`.',
    },
    over: {
      kind: special('sweepAxes', "readonly ('layer' | 'position' | 'head')[]"),
      doc: 'The axes of a cell, the layer first. Along the others, everything is patched at once.',
      byDefault: "`['layer', 'head']` for paths and at points that have heads; otherwise `['layer', 'position']`",
    },
    layers: { kind: indices, doc: 'Layers, from 0.', byDefault: 'all', absent: '[]' },
    heads: { kind: indices, doc: 'Heads, from 0; of `k` and `v`, key and value heads.', byDefault: 'all', absent: '[]' },
    positions: { kind: positions, doc: `Positions, ${fromEnd}.`, byDefault: 'all' },
    ablate: {
      kind: oneOf('zero', 'mean'),
      doc: 'Sets the cell to zero, or to its mean over all positions of `texts`, instead of patching it.',
    },
    texts: {
      kind: special('prompts', 'readonly Prompt[]', 'WirePrompt[]'),
      doc: 'The texts of `ablate: mean`.',
      byDefault: 'none',
      absent: '[]',
    },
    path: { kind: special('object(sweepPath)', 'SweepPath') },
    resume: {
      kind: special('sweepState', 'SweepState'),
      doc: 'The state of an earlier sweep with the same options, as `onProgress` had it: only the remaining cells are computed.',
    },
    onProgress: {
      kind: callback('(progress: SweepProgress) => void'),
      doc: 'Called after each pass.',
    },
  },
)

const { integrity: _, ...files } = AdapterOptions.options

export const LoadFeaturesOptions = group(
  'LoadFeaturesOptions',
  { ...own },
  {
    ...files,
    hook: {
      kind: text,
      doc: "The point that it reads, for files that do not say it (Gemma Scope 1), in TransformerLens's words: `blocks.3.hook_resid_post`.",
    },
    hookOut: { kind: text, doc: 'For a transcoder, the point that it rebuilds.', byDefault: 'as the files say' },
    normScale: {
      kind: number({ above: 0 }),
      doc: 'For dictionaries trained with `expected_average_only_in`: the factor by which values were scaled in training. Files do not contain it, so it is given here. It is folded into the weights.',
      default: 1,
    },
  },
)

const sae = { kind: special('dictionary', 'FeatureDictionary'), doc: 'What `loadFeatures` gives.', required: true } as const
const top = { kind: count(1), doc: 'Number of features to return for each token.', default: 10 } as const

export const FeaturesOptions = group(
  'FeaturesOptions',
  { from: [ReadOptions], ...own },
  {
    sae,
    top,
    activations: { kind: boolean, doc: 'Whether to return all activations.', default: false },
    reconstruction: { kind: boolean, doc: 'Whether to return the reconstructions.', default: false },
  },
)

export const FeatureEffectOptions = group(
  'FeatureEffectOptions',
  { ...own },
  { top: { ...top, doc: 'Number of tokens at each end.' }, ...aborting },
)

const points = {
  kind: special('pointNames', 'readonly string[]', 'string[]'),
  doc: 'Names of points, as for `trace`, which have a row for each token.',
  required: true,
} as const

export const CollectExamples = group(
  'CollectExamples',
  { doc: 'Features whose largest activations to keep.', ...own },
  {
    sae,
    features: { kind: indices, doc: 'Features, from 0.', required: true },
    top: { ...top, doc: 'Number of tokens to keep for each.' },
  },
)

export const CollectOptions = group(
  'CollectOptions',
  { from: [ReadOptions], ...own },
  {
    points,
    positions: {
      kind: special('collectPositions', "readonly number[] | 'all' | 'last'", "number[] | 'all' | 'last'"),
      doc: `Positions of each text, ${fromEnd}; those that a text does not have are left out.`,
      byDefault: 'all',
    },
    tokens: {
      kind: special('tokenNames', 'readonly (string | number)[]', 'TokenName[]'),
      doc: 'Only positions with one of these tokens, by their exact text or id.',
      byDefault: 'any',
      absent: '[]',
    },
    to: {
      kind: special('target', 'CollectTarget'),
      doc: 'Where the values go. With `statistics`, the statistics go there instead (POINT.count, POINT.mean, POINT.covariance).',
      byDefault: 'nowhere, if `statistics` or `examples` are wanted',
    },
    as: {
      kind: oneOf('npy', 'npz', 'safetensors'),
      doc: 'The format, if `to` is a stream or a file.',
      byDefault: '`npy` for one point, `safetensors` for several',
    },
    type: { kind: oneOf('float32', 'float16'), default: 'float32' },
    statistics: {
      kind: oneOf('mean', 'covariance'),
      doc: 'Returns the mean of each point, or mean and covariance.',
      byDefault: 'none',
    },
    examples: {
      kind: special('object(collectExamples)', 'CollectExamples'),
      doc: 'Returns the tokens at which features are largest.',
    },
    resume: {
      kind: special('collectState', 'CollectState'),
      doc: 'The state of an earlier call with the same options, as `onProgress` had it: goes on after its texts, in the same file.',
    },
    onProgress: { kind: callback('(progress: CollectProgress) => void'), doc: 'Called after each text.' },
  },
)

export const MeansOptions = group('MeansOptions', { from: [ReadOptions], ...own }, { points })

export const ProbeOptions = group(
  'ProbeOptions',
  { from: [ReadOptions], ...own },
  {
    point: { kind: text, doc: 'A point that has a row for each token, such as `resid.5`.', required: true },
    positions: {
      kind: oneOf('all', 'last'),
      doc: 'Whether every token of a text is an example of it, or the last one.',
      default: 'last',
    },
    l2: {
      kind: number({ above: 0 }),
      doc: 'The penalty: l2 / 2 times the squared length of the weights, beside the sum over rows.',
      default: 1,
    },
    standardize: { kind: boolean, doc: 'Divide each channel by its standard deviation before the penalty.', default: false },
  },
)

export const WeightsOptions = group(
  'WeightsOptions',
  { ...own },
  {
    rows: {
      kind: special('firstAndLast', 'readonly [first: number, end: number]'),
      doc: 'Rows to read, without the last number: all axes but the last count as rows.',
      byDefault: 'all',
    },
    ...aborting,
  },
)

export const CompareOptions = group('CompareOptions', { from: [TokenizeOptions], ...own }, aborting)
