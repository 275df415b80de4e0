// heed lab collect, probe and compare: values of many texts, a classifier of texts, and two models on the same texts.
import { open } from 'node:fs/promises'
import { compareModels, HeedError, loadModel, type CollectOptions } from 'heed'
import { loadOptions, numberOf, readArguments, textOf, UsageError } from '../arguments.js'
import { modelOf, withModel } from '../files.js'
import {
  flag,
  json,
  jsonOf,
  listOf,
  loadArguments,
  numbersOf,
  promptOf,
  required,
  text,
  textArguments,
  type Values,
} from './arguments.js'

type Text = string | number[]

/** A JSON file: a list of texts, or { texts, labels }. */
export function textsOf(values: Values): { texts: Text[]; labels?: number[] } {
  const value = jsonOf(values, 'texts')
  const { texts, labels } = (Array.isArray(value) ? { texts: value } : (value ?? {})) as { texts?: unknown; labels?: unknown }
  if (!Array.isArray(texts)) throw new UsageError('--texts: expected a list of texts, or { "texts": [...], "labels": [...] }')
  return { texts: texts as Text[], ...(Array.isArray(labels) ? { labels: labels as number[] } : {}) }
}

const formats = { '.npy': 'npy', '.npz': 'npz', '.safetensors': 'safetensors' } as const

export async function collect(args: string[]): Promise<number> {
  const more = { texts: text, points: text, positions: text, type: text, statistics: flag, out: text }
  const { values, positionals } = readArguments(args, { ...loadArguments, ...more }, 1)
  const source = modelOf(positionals)
  const { texts } = textsOf(values)
  const out = required(values, 'out')
  const format = Object.entries(formats).find(([end]) => out.endsWith(end))?.[1]
  if (!format) throw new UsageError(`--out: '${out}' ends in none of ${Object.keys(formats).join(', ')}`)
  const given = textOf(values, 'positions') ?? 'all'
  const positions = given === 'all' || given === 'last' ? given : numbersOf(values, 'positions')
  const read: CollectOptions = {
    points: listOf(required(values, 'points')),
    positions,
    type: textOf(values, 'type') as CollectOptions['type'],
  }
  return withModel(source, loadOptions(values), async model => {
    const file = await open(out, 'w').catch((error: Error) => {
      throw new HeedError('io', `${out}: ${error.message}`)
    })
    try {
      await model.collect(texts, { ...read, ...(values.statistics ? { statistics: 'covariance' } : {}), to: file, as: format })
    } finally {
      await file.close()
    }
    return 0
  })
}

export async function probe(args: string[]): Promise<number> {
  const more = { texts: text, point: text, positions: text, l2: text, standardize: text }
  const { values, positionals } = readArguments(args, { ...loadArguments, ...more }, 1)
  const source = modelOf(positionals)
  const { texts, labels } = textsOf(values)
  if (labels?.length !== texts.length) throw new UsageError('--texts: expected as many labels as texts')
  const [negative, positive] = [0, 1].map(label => texts.filter((_, index) => labels[index] === label))
  return withModel(source, loadOptions(values), async model => {
    const { weights, bias, direction, loss, accuracy } = await model.probe(positive!, negative!, {
      point: required(values, 'point'),
      positions: textOf(values, 'positions') as 'all' | undefined,
      l2: numberOf(values, 'l2'),
      standardize: textOf(values, 'standardize') === 'yes',
    })
    json({ weights: [...weights], bias, direction: [...direction], loss, accuracy })
    return 0
  })
}

export async function compare(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, textArguments, 2)
  const [first, second] = positionals
  if (second === undefined) throw new UsageError('give two models, the finer one first')
  const prompt = promptOf(values)
  const options = loadOptions(values)
  return withModel(first, options, async model => {
    const other = await loadModel(second, options)
    try {
      const { texts, meanKl, agreement, residual } = await compareModels(model, other, [prompt])
      const [{ kl, agree }] = texts as [(typeof texts)[number]]
      json({ kl, mean_kl: meanKl, agree, agreement, residual })
      return 0
    } finally {
      await other.dispose()
    }
  })
}
