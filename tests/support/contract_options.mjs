// The options of each call, as the contract in api/ has them, and values that their kinds take or refuse.
import { loadContract, optionsOf } from '../../tools/contract/load.mjs'

export async function contractOptions() {
  const { calls } = await loadContract()
  return Object.fromEntries(Object.entries(calls).flatMap(([name, { options }]) => (options ? [[name, optionsOf(options)]] : [])))
}

/** How far from a limit numbers are tried. */
const tiny = 0.01

/** Values that an option takes, at the ends of its range; none if its kind does not say which. */
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
