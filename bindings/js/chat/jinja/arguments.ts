// The arguments of built-in functions, by position or by name, as in Python.
import { read } from './budget.js'
import { TemplateError } from './error.js'
import { Text } from './text.js'
import { isInteger, typeName, Undefined, type Dict, type Value } from './values.js'

/**
 * Returns the values of the parameters, `undefined` if not given, and charges for reading their texts. Throws a TypeError for too
 * many, unknown or repeated arguments.
 */
export function readArguments(what: string, parameters: readonly string[], args: Value[], named: Dict): (Value | undefined)[] {
  if (args.length > parameters.length) {
    throw new TemplateError('TypeError', `${what}() takes at most ${parameters.length} argument(s) (${args.length} given)`)
  }
  const values: (Value | undefined)[] = parameters.map((_, at) => args[at])
  for (const [key, value] of named.entries) {
    const name = (key as Text).value
    const at = parameters.indexOf(name)
    if (at < 0) throw new TemplateError('TypeError', `${what}() got an unexpected keyword argument '${name}'`)
    if (values[at] !== undefined) throw new TemplateError('TypeError', `${what}() got multiple values for argument '${name}'`)
    values[at] = value
  }
  readTexts(values)
  return values
}

/** Charges for looking at texts. */
export function readTexts(values: readonly (Value | undefined)[]): void {
  for (const value of values) if (value instanceof Text) read(value.value.length)
}

export function needText(what: string, value: Value | undefined): Text {
  if (value instanceof Text) return value
  if (value instanceof Undefined) value.fail()
  throw new TemplateError('TypeError', `${what}: expected str, got ${value === undefined ? 'nothing' : typeName(value)}`)
}

export function needInteger(what: string, value: Value | undefined, otherwise?: number): number {
  if (value === undefined && otherwise !== undefined) return otherwise
  if (value !== undefined && isInteger(value)) return Number(value)
  if (value instanceof Undefined) value.fail()
  throw new TemplateError('TypeError', `${what}: expected int, got ${value === undefined ? 'nothing' : typeName(value)}`)
}
