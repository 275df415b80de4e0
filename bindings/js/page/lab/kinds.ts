// The readers of options of the lab's larger calls that are more than a number, a word or a list.
import type { FeatureDictionary } from '../../types/features.js'
import type { CollectState, CollectTarget, SweepState } from '../../types/lab-room.js'
import type { WirePrompt } from '../../wire/protocol.js'
import type { HeadPlace, SweepAxis } from '../../wire/sweep.js'
import { pair } from '../edits.js'
import { places } from '../kinds.js'
import { prompt } from '../prompts.js'
import { Dictionary } from './features/dictionary.js'
import { isObject, itemsOf, matched, Mismatch, type Reader } from '../readers.js'

export const prompts: Reader<WirePrompt[]> = (value, what) => {
  const list = itemsOf(value)
  if (list) return list.map((one, index) => matched(`${what}[${index}]`, one, prompt))
  throw new Mismatch('an array of texts')
}

const axes = ['layer', 'position', 'head']
export const sweepAxes: Reader<SweepAxis[]> = value => {
  const list = itemsOf(value, axes.length)
  const isWhole = list && list[0] === 'layer' && new Set(list).size === list.length
  if (isWhole && list.every(one => axes.includes(one as string))) return list as SweepAxis[]
  throw new Mismatch("an array of 'layer' and, after it, 'position' and 'head', each at most once")
}

export const headPlace: Reader<HeadPlace> = pair('[layer, head]')
export const receiver: Reader<HeadPlace | 'logits'> = (value, what) => (value === 'logits' ? value : headPlace(value, what))

const isValue = (value: unknown) => value === null || typeof value === 'number'
export const sweepState: Reader<SweepState> = value => {
  if (isObject(value)) {
    const { plan, values } = value
    const list = itemsOf(values)
    if (typeof plan === 'number' && list?.every(isValue)) return { plan, values: list as (number | null)[] }
  }
  throw new Mismatch('the state of a sweep: { plan, values }')
}

/** Checked here rather than in the main script, because only the lab's script has the class. */
export const dictionary: Reader<FeatureDictionary> = value => {
  if (value instanceof Dictionary) return value
  throw new Mismatch('what model.loadFeatures gives')
}

export const collectPositions: Reader<number[] | 'all' | 'last'> = (value, what) =>
  value === 'all' || value === 'last' ? value : places(value, what)

const formats = ['npy', 'npz', 'safetensors']
/** Streams and files are checked where they are opened. */
export const target: Reader<CollectTarget> = value => {
  if (formats.includes(value as string) || isObject(value)) return value as CollectTarget
  throw new Mismatch("'npy', 'npz', 'safetensors', a WritableStream or a file handle")
}
export const collectState: Reader<CollectState> = value => {
  if (isObject(value) && Number.isSafeInteger(value.texts) && (value.texts as number) >= 0) return value as unknown as CollectState
  throw new Mismatch('the state of a collection')
}
