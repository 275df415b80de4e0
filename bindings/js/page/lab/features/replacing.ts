// Edits by dictionaries that depend on a text's values, `clamp` and `splice`: computes the rows that replace these values.
import type { WebAbortSignal } from '../../../types/web.js'
import { refuse } from '../../../wire/errors.js'
import type { DictionaryEdit, WireEdit } from '../../../wire/changes.js'
import type { Connection } from '../../connection.js'
import { Dictionary, type Encoded } from './dictionary.js'
import { encodings, type Text, valuesAt } from './features.js'

export type AnyEdit = WireEdit | DictionaryEdit
/** An edit that needs the values of a text. */
export type Replacing = Exclude<DictionaryEdit, { scale: number }>
export type Group = readonly [AnyEdit, ...AnyEdit[]]

const isOfDictionary = (edit: AnyEdit): edit is DictionaryEdit => 'feature' in edit || 'splice' in edit
export const isReplacing = (edit: AnyEdit): edit is Replacing => isOfDictionary(edit) && !('scale' in edit)

/**
 * Groups consecutive clamps by the same dictionary; other edits are alone. All clamps of a group apply to the activations before
 * the first of them, which an edit of the value between them would change.
 */
export function grouped(edits: readonly AnyEdit[]): Group[] {
  const groups: [AnyEdit, ...AnyEdit[]][] = []
  for (const edit of edits) {
    const [first] = groups.at(-1) ?? []
    const isFurther = first && 'clamp' in first && 'clamp' in edit && first.feature[0] === edit.feature[0]
    if (isFurther) groups.at(-1)!.push(edit)
    else groups.push([edit])
  }
  return groups
}

function known(value: unknown): Dictionary {
  if (value instanceof Dictionary) return value
  throw refuse('edits: expected what model.loadFeatures gives')
}

/**
 * Converts an edit that needs no values of the text to its wire form. Sets `whole`, because otherwise all heads of the point would
 * get the same vector.
 */
export function plain(edit: Exclude<AnyEdit, Replacing>): WireEdit {
  if (!('feature' in edit)) return edit
  const { feature, scale, positions } = edit
  const [sae, index] = feature
  const { pointOut } = known(sae)
  return { at: pointOut, add: sae.direction(index), scale, whole: true, ...(positions && { positions }) }
}

/**
 * An edit that replaces values at the dictionary's point by the rows that a splice or clamps give. It can be extended as the text
 * grows.
 */
export class Replacement {
  readonly #group: readonly Replacing[]
  readonly #dictionary: Dictionary
  readonly #rows = new Map<number, ArrayLike<number>>()

  constructor(group: readonly [Replacing, ...Replacing[]]) {
    const [edit] = group
    this.#group = group
    this.#dictionary = known('splice' in edit ? edit.splice : edit.feature[0])
  }

  /** Computes the rows that are missing, from a pass with the edits of `text`. `placesOf`: for each edit, its places in the text. */
  async extend(
    connection: Connection,
    text: Text,
    placesOf: readonly (readonly number[])[],
    signal?: WebAbortSignal,
  ): Promise<void> {
    const places = [...new Set(placesOf.flat())].filter(place => !this.#rows.has(place))
    if (places.length === 0) return
    const { point, pointOut, widthOut, isTranscoder } = this.#dictionary
    const { at } = await valuesAt(connection, [point, pointOut], { ...text, positions: places }, signal)
    const [inputs, targets] = at as [Float32Array, Float32Array]
    let index = 0
    for await (const encoded of encodings(connection, this.#dictionary, isTranscoder ? inputs : targets, signal)) {
      const target = targets.subarray(index * widthOut, (index + 1) * widthOut)
      const place = places[index++]!
      const clamps = this.#group.filter((_, number) => placesOf[number]!.includes(place))
      this.#rows.set(place, this.#row(encoded, target, clamps))
    }
  }

  #row(encoded: Encoded, target: Float32Array, edits: readonly Replacing[]): ArrayLike<number> {
    const before = this.#dictionary.decode(encoded)
    const activations = encoded.activations.slice()
    for (const edit of edits) {
      if ('splice' in edit) return before
      activations[edit.feature[1]] = edit.clamp
    }
    const after = this.#dictionary.decode({ ...encoded, activations })
    return after.map((value, channel) => target[channel]! + (value - before[channel]!))
  }

  /** The edits to send; none if no position is edited. */
  edits(): WireEdit[] {
    if (this.#rows.size === 0) return []
    const { pointOut, widthOut } = this.#dictionary
    const replace = new Float32Array(this.#rows.size * widthOut)
    ;[...this.#rows.values()].forEach((row, index) => replace.set(row, index * widthOut))
    return [{ at: pointOut, replace, each: true, positions: [...this.#rows.keys()] }]
  }
}
