// The markers of a template's replies that are control tokens of the vocabulary. Only the control token counts as the marker:
// ordinary tokens that spell it are text.
import type { Tokenize } from './tokenize.js'

export interface ControlMarkers {
  /** The markers that begin with a control token, each with the text of this token. */
  readonly begins: ReadonlyMap<string, string>
  /** The texts of these control tokens, by their ids. */
  readonly texts: ReadonlyMap<number, string>
  /** The tokens that are whole markers. */
  readonly ids: ReadonlyMap<string, number>
}

/** The id of the control token that a marker begins with, and whether the marker consists of this token only. */
interface Found {
  readonly id?: number
  readonly isWhole: boolean
}

/** A cache: the result only depends on the vocabulary. */
const found = new WeakMap<Tokenize, Map<string, Found>>()

async function find(marker: string, tokenize: Tokenize): Promise<Found> {
  const [ids, plain] = await Promise.all([tokenize({ parts: [{ control: marker }] }, false), tokenize({ parts: [marker] }, false)])
  const [first] = ids
  return first === undefined || plain.includes(first) ? { isWhole: false } : { id: first, isWhole: ids.length === 1 }
}

export async function controlMarkers(markers: ReadonlySet<string>, tokenize: Tokenize): Promise<ControlMarkers> {
  const known = found.get(tokenize) ?? new Map<string, Found>()
  found.set(tokenize, known)
  const all = await Promise.all(
    [...markers].map(async (marker): Promise<[string, Found]> => {
      const one = known.get(marker) ?? (await find(marker, tokenize))
      known.set(marker, one)
      return [marker, one]
    }),
  )
  const ids = new Map(all.flatMap(([marker, { id, isWhole }]) => (isWhole ? [[marker, id!]] : [])))
  const texts = new Map([...ids].map(([text, id]) => [id, text]))
  const begins = new Map(
    all.flatMap(([marker, { id }]) => {
      const text = texts.get(id ?? -1)
      return text === undefined ? [] : [[marker, text]]
    }),
  )
  return { begins, texts, ids }
}
