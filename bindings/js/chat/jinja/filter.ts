// The interfaces of filters, and of the running template for filters.
import type { Text } from './text.js'
import type { Dict, Value } from './values.js'

/** The running template, as filters see it: `map`, for example, runs another filter by its name. */
export interface FilterHost {
  /** Called with each value that a filter prints by itself. */
  readonly printed: (value: Value) => void
  /** Python's str(value). */
  text(value: Value): Text
  item(value: Value, key: Value): Value
  /** Python's getattr; `isOnly`: without keys of dicts. */
  attribute(value: Value, name: string, isOnly?: boolean): Value
  filter(name: string, value: Value, args: Value[], named: Dict): Value
  test(name: string, value: Value, args: Value[]): boolean
}

/** The parameters of a filter, and its function. Undefined parameters mean any arguments. */
export type Filter = [
  parameters: string[] | undefined,
  run: (value: Value, args: (Value | undefined)[], host: FilterHost, named: Dict) => Value,
]
