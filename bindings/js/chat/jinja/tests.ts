// Jinja's tests: the names that follow `is`.
import { readTexts } from './arguments.js'
import { TemplateError } from './error.js'
import { binary, compareBy } from './operators.js'
import { Text } from './text.js'
import { Callable, Dict, Instance, isEqual, isNumber, List, Spelled, Tuple, Undefined, type Value } from './values.js'

type Test = (value: Value, args: Value[]) => boolean

const isIterable = (value: Value) =>
  value instanceof Text || value instanceof List || value instanceof Tuple || value instanceof Dict || value instanceof Undefined
const compares =
  (operator: string): Test =>
  (value, [other]) =>
    compareBy(operator, value, other ?? null)
const cased =
  (change: (value: string) => string): Test =>
  value => {
    const text = value instanceof Text ? value.value : ''
    return text === change(text) && text.toLowerCase() !== text.toUpperCase()
  }
const rest = (value: Value, by: Value) => binary('%', value, by)

const tests: Record<string, Test> = {
  defined: value => !(value instanceof Undefined),
  undefined: value => value instanceof Undefined,
  none: value => value === null,
  string: value => value instanceof Text,
  mapping: value => value instanceof Dict,
  iterable: isIterable,
  sequence: isIterable,
  number: value => isNumber(value) || value instanceof Spelled,
  integer: value => typeof value === 'bigint',
  float: value => typeof value === 'number' || value instanceof Spelled,
  boolean: value => typeof value === 'boolean',
  true: value => value === true,
  false: value => value === false,
  callable: value => value instanceof Callable || (value instanceof Instance && value.call !== undefined),
  sameas: (value, [other]) => value === other || (isNumber(value) && typeof value === typeof other && isEqual(value, other!)),
  escaped: () => false,
  odd: value => isEqual(rest(value, 2n), 1n),
  even: value => isEqual(rest(value, 2n), 0n),
  divisibleby: (value, [by]) => isEqual(rest(value, by ?? null), 0n),
  lower: cased(value => value.toLowerCase()),
  upper: cased(value => value.toUpperCase()),
  in: compares('in'),
}
for (const [operator, names] of Object.entries({
  '==': ['eq', 'equalto', '=='],
  '!=': ['ne', '!='],
  '<': ['lt', 'lessthan', '<'],
  '<=': ['le', '<='],
  '>': ['gt', 'greaterthan', '>'],
  '>=': ['ge', '>='],
}))
  for (const name of names) tests[name] = compares(operator)

const isTest = (name: string): boolean => Object.hasOwn(tests, name) || name === 'filter' || name === 'test'

export function runTest(name: string, value: Value, args: Value[], isFilter: (name: string) => boolean): boolean {
  readTexts([value])
  if (name === 'filter' || name === 'test') {
    return value instanceof Text && (name === 'filter' ? isFilter : isTest)(value.value)
  }
  if (!Object.hasOwn(tests, name)) throw new TemplateError('TemplateRuntimeError', `No test named '${name}' found.`)
  return tests[name]!(value, args)
}
