// heed lab features, steer, effect and examples: the features of texts by a dictionary, and edits of features.
import type { Edit, FeatureDictionary, LoadFeaturesOptions } from 'heed'
import { loadOptions, numberOf, readArguments, textOf, UsageError } from '../arguments.js'
import { type Model, modelOf, withModel } from '../files.js'
import { textsOf } from './collect.js'
import {
  dictionaryArguments,
  json,
  loadArguments,
  jsonOf,
  numbersOf,
  promptOf,
  required,
  text,
  textArguments,
  type Values,
  wholeOf,
  writeFloats,
} from './arguments.js'

const dictionaryOf = (model: Model, values: Values): Promise<FeatureDictionary> => {
  const options: LoadFeaturesOptions = {
    hook: textOf(values, 'hook'),
    hookOut: textOf(values, 'hook-out'),
    normScale: numberOf(values, 'norm-scale'),
  }
  return model.loadFeatures(required(values, 'sae'), options)
}

export async function features(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    { ...textArguments, ...dictionaryArguments, top: text, activations: text, out: text },
    1,
  )
  const source = modelOf(positionals)
  const prompt = promptOf(values)
  const [activations, out] = [textOf(values, 'activations'), textOf(values, 'out')]
  return withModel(source, loadOptions(values), async model => {
    const sae = await dictionaryOf(model, values)
    const found = await model.features(prompt, {
      sae,
      top: wholeOf(values, 'top'),
      activations: activations !== undefined,
      reconstruction: out !== undefined,
    })
    if (activations !== undefined) writeFloats(activations, found.activations!)
    if (out !== undefined) writeFloats(out, found.reconstruction!)
    const { point, pointOut, top, l0, explainedVariance, mse, cosine, errorNorms } = found
    json({
      point,
      point_out: pointOut,
      d_sae: sae.features,
      top: top.map(best => best.map(({ feature, value }) => [feature, value])),
      l0,
      explained_variance: explainedVariance,
      mse,
      cosine,
      error_norm: errorNorms,
    })
    return 0
  })
}

interface Op {
  op: string
  feature: number
  scale: number
  value: number
  positions?: 'all' | number[]
}

function editOf(sae: FeatureDictionary, { op, feature, scale, value, positions }: Op): Edit {
  const place = positions === undefined ? {} : { positions }
  if (op === 'splice') return { splice: sae, ...place }
  if (op === 'feature-add') return { feature: [sae, feature], scale, ...place }
  if (op === 'feature-set') return { feature: [sae, feature], clamp: value, ...place }
  throw new UsageError(`--plan: op: '${op}' is not feature-add, feature-set or splice`)
}

export async function steer(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...textArguments, ...dictionaryArguments, plan: text, out: text }, 1)
  const source = modelOf(positionals)
  const prompt = promptOf(values)
  const { ops } = (jsonOf(values, 'plan') ?? {}) as { ops?: Op[] }
  if (!Array.isArray(ops)) throw new UsageError('--plan: ops: expected a list')
  const out = required(values, 'out')
  return withModel(source, loadOptions(values), async model => {
    const sae = await dictionaryOf(model, values)
    writeFloats(out, await model.logits(prompt, { positions: 'all', edits: ops.map(op => editOf(sae, op)) }))
    return 0
  })
}

export async function effect(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...loadArguments, ...dictionaryArguments, feature: text, top: text }, 1)
  const source = modelOf(positionals)
  const feature = wholeOf(values, 'feature')
  if (feature === undefined) throw new UsageError('--feature is required')
  return withModel(source, loadOptions(values), async model => {
    const found = await model.featureEffect(await dictionaryOf(model, values), feature, { top: wholeOf(values, 'top') })
    const pairs = (tokens: readonly { id: number; value: number }[]) => tokens.map(({ id, value }) => [id, value])
    const ends = ({ top, bottom }: typeof found.raw) => ({ top: pairs(top), bottom: pairs(bottom) })
    json({ raw: ends(found.raw), normed: ends(found.normed) })
    return 0
  })
}

export async function examples(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    { ...loadArguments, ...dictionaryArguments, texts: text, features: text, top: text },
    1,
  )
  const source = modelOf(positionals)
  const { texts } = textsOf(values)
  const wanted = numbersOf(values, 'features')
  if (!wanted) throw new UsageError('--features is required')
  return withModel(source, loadOptions(values), async model => {
    const sae = await dictionaryOf(model, values)
    const top = wholeOf(values, 'top')
    const found = await model.collect(texts, { points: [sae.point], examples: { sae, features: wanted, top } })
    json({ features: found.examples })
    return 0
  })
}
