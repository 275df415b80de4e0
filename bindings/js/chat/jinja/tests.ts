// Jinja's tests: the names that follow `is`.
import type { Budget } from './budget.js'
import { TemplateError } from './error.js'
import { binary, compareBy } from './operators.js'
import { Text } from './text.js'
import { Callable, Dict, Instance, isEqual, isNumber, List, Tuple, Undefined, type Value } from './values.js'

type Test = (value: Value, args: Value[], budget: Budget) => boolean

const isIterable = (value: Value) =>
  value instanceof Text || value instanceof List || value instanceof Tuple || value instanceof Dict || value instanceof Undefined
const compares = (operator: string): Test => (value, [other], budget) => compareBy(operator, value, other ?? null, budget)
const cased = (change: (value: string) => string): Test => value => {
  const text = value instanceof Text ? value.value : ''
  return text === change(text) && text.toLowerCase() !== text.toUpperCase()
}
const rest = (value: Value, by: Value, budget: Budget) => binary('%', value, by, budget)

const tests: Record<string, Test> = {
  defined: value => !(value instanceof Undefined),
  undefined: value => value instanceof Undefined,
  none: value => value === null,
  string: value => value instanceof Text,
  mapping: value => value instanceof Dict,
  iterable: isIterable,
  sequence: isIterable,
  number: isNumber,
  integer: value => typeof value === 'bigint',
  float: value => typeof value === 'number',
  boolean: value => typeof value === 'boolean',
  true: value => value === true,
  false: value => value === false,
  callable: value => value instanceof Callable || (value instanceof Instance && value.call !== undefined),
  sameas: (value, [other]) => value === other || (isNumber(value) && typeof value === typeof other && isEqual(value, other!)),
  escaped: () => false,
  odd: (value, _, budget) => isEqual(rest(value, 2n, budget), 1n),
  even: (value, _, budget) => isEqual(rest(value, 2n, budget), 0n),
  divisibleby: (value, [by], budget) => isEqual(rest(value, by ?? null, budget), 0n),
  lower: cased(value => value.toLowerCase()),
  upper: cased(value => value.toUpperCase()),
  in: compares('in'),
}
for (const [operator, names] of Object.entries({
  '==': ['eq', 'equalto', '=='], '!=': ['ne', '!='], '<': ['lt', 'lessthan', '<'], '<=': ['le', '<='],
  '>': ['gt', 'greaterthan', '>'], '>=': ['ge', '>='],
})) for (const name of names) tests[name] = compares(operator)

export const isTest = (name: string): boolean => Object.hasOwn(tests, name) || name === 'filter' || name === 'test'

export function runTest(name: string, value: Value, args: Value[], budget: Budget, isFilter: (name: string) => boolean): boolean {
  if (name === 'filter' || name === 'test') {
    return value instanceof Text && (name === 'filter' ? isFilter : isTest)(value.value)
  }
  if (!Object.hasOwn(tests, name)) throw new TemplateError('TemplateRuntimeError', `No test named '${name}' found.`)
  return tests[name]!(value, args, budget)
}
