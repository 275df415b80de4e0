// Reads records, any part of which may be damaged, or from another version of this page.
import { type Medium, mediumAt } from '../media/medium.js'

type Damaged<Value> = { readonly [Name in keyof Value]?: unknown }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

export const asRecord = <Value>(value: unknown): Damaged<Value> => (isObject(value) ? (value as Damaged<Value>) : {})

export const asList = <Value>(value: unknown): Damaged<Value>[] =>
  (Array.isArray(value) ? value : []).filter((one): one is Damaged<Value> => isObject(one))

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter(one => typeof one === 'string' && one !== '')

/** A picture or a sound as a record has it. */
type Stored = Pick<Medium, 'name' | 'url'>

export const storedPictures = (pictures: readonly Medium[]): Stored[] => pictures.map(({ name, url }) => ({ name, url }))

/** The pictures and sounds that can be read. */
export async function asPictures(value: unknown): Promise<Medium[]> {
  const read = await Promise.all(asList<Stored>(value).map(({ name, url }) => mediumAt(url, asText(name))))
  return read.filter(picture => picture !== undefined)
}
