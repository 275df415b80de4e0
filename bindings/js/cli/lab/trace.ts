// heed lab trace and heed lab attribute: values inside a pass, and the parts of a logit.
import { loadOptions, readArguments } from '../arguments.js'
import { modelOf, withModel } from '../files.js'
import { json, listOf, numbersOf, promptOf, required, text, textArguments, wholeOf, writeFloats } from './arguments.js'

export async function trace(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...textArguments, points: text, positions: text, out: text }, 1)
  const source = modelOf(positionals)
  const prompt = promptOf(values)
  const points = listOf(required(values, 'points'))
  const out = required(values, 'out')
  return withModel(source, loadOptions(values), async model => {
    const { tensors } = await model.trace(prompt, { points, positions: numbersOf(values, 'positions') })
    writeFloats(out, ...tensors.map(({ data }) => data))
    json({ points: tensors.map(({ shape }, index) => ({ name: points[index], shape })) })
    return 0
  })
}

export async function attribute(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...textArguments, position: text, token: text, against: text }, 1)
  const source = modelOf(positionals)
  const prompt = promptOf(values)
  return withModel(source, loadOptions(values), async model => {
    const { embedding, heads, attentionBias, mlp, experts, constant, sum, beforeCap, logit } = await model.attribute(prompt, {
      token: wholeOf(values, 'token'),
      against: wholeOf(values, 'against'),
      position: wholeOf(values, 'position'),
    })
    json({
      embedding,
      heads,
      attention_bias: attentionBias,
      mlp,
      ...(experts && { experts: experts.map(layer => layer.map(({ expert, part }) => [expert, part])) }),
      constant,
      sum,
      before_cap: beforeCap,
      difference: logit,
    })
    return 0
  })
}
