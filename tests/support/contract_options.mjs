// The options of each call according to the contract in api/, with valid and invalid values of their kinds.
import { loadContract, optionsOf } from '../../tools/contract/load.mjs'

export async function contractOptions() {
  const { calls } = await loadContract()
  return Object.fromEntries(Object.entries(calls).flatMap(([name, { options }]) => (options ? [[name, optionsOf(options)]] : [])))
}

/** The distance from a limit at which numbers are tried. */
const tiny = 0.01

/** Valid values of an option, at the ends of its range; none if its kind does not define any. */
export function rightOf({ kind }) {
  if (kind.words) return kind.words
  if (kind.type === 'boolean') return [true, false]
  if (!kind.range) return []
  const { least, above, most, below } = kind.range
  const isInteger = /^(?:integer|count)\b/.test(kind.read)
  if (isInteger) return [least, least + 1, ...(most === undefined ? [] : [most])]
  const from = least ?? (above === undefined ? -1 : above + tiny)
  const to = most ?? (below === undefined ? 2 : below - tiny)
  return [from, (from + to) / 2, to]
}

/** Values that it refuses: of other types, and those just outside of its range. */
export function wrongOf({ kind }) {
  if (kind.words) return ['none of these', 1, true]
  if (kind.type === 'boolean') return ['yes', 1, {}]
  if (!kind.range) return []
  const { least, above, most, below } = kind.range
  const isInteger = /^(?:integer|count)\b/.test(kind.read)
  const step = isInteger ? 1 : tiny
  const outside = [least === undefined ? undefined : least - step, above, most === undefined ? undefined : most + step, below]
  return ['1', NaN, Infinity, ...(isInteger ? [1.5] : []), ...outside.filter(value => value !== undefined)]
}
