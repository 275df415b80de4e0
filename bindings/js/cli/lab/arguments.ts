// The arguments that the lab's commands share: lists, tokens, plans, and where results go.
import { writeFileSync } from 'node:fs'
import { numberOf, type Options, textOf, UsageError } from '../arguments.js'
import { parseJson, readText } from '../files.js'
import { commandOptions } from '../options.generated.js'
import { write } from '../output.js'

export type Values = Parameters<typeof textOf>[0]

export const text = { type: 'string' } as const
export const flag = { type: 'boolean' } as const
export const loadArguments: Options = commandOptions.lab.options
export const textArguments: Options = { ...loadArguments, prompt: { ...text, short: 'p' }, tokens: text }
export const dictionaryArguments: Options = { sae: text, hook: text, 'hook-out': text, 'norm-scale': text }

export const required = (values: Values, name: string): string => {
  const given = textOf(values, name)
  if (given === undefined) throw new UsageError(`--${name} is required`)
  return given
}

export const listOf = (given: string): string[] => given.split(',').map(part => part.trim())

export function numbersOf(values: Values, name: string): number[] | undefined {
  const given = textOf(values, name)
  if (given === undefined) return undefined
  const numbers = listOf(given).map(part => (part === '' ? NaN : Number(part)))
  if (!numbers.every(Number.isInteger))
    throw new UsageError(`--${name}: '${given}' is not a list of whole numbers separated by commas`)
  return numbers
}

/** The text of `--tokens` or `--prompt`. */
export function promptOf(values: Values): string | number[] {
  const ids = numbersOf(values, 'tokens')
  const prompt = textOf(values, 'prompt')
  if ((ids === undefined) === (prompt === undefined)) throw new UsageError('give a text as -p TEXT, or its ids as --tokens ID,...')
  return ids ?? prompt!
}

/** The contents of the JSON file that `--plan` or `--texts` names. */
export const jsonOf = (values: Values, name: string): unknown => {
  const path = required(values, name)
  return parseJson(path, readText(path))
}

/** An option's integer; undefined if it is not given. Throws a UsageError for another number. */
export function wholeOf(values: Values, name: string): number | undefined {
  const number = numberOf(values, name)
  if (number !== undefined && !Number.isInteger(number)) throw new UsageError(`--${name}: ${number} is not a whole number`)
  return number
}

export const json = (value: unknown) => write(`${JSON.stringify(value)}\n`)

/** Writes numbers as little-endian 32-bit floats. */
export const writeFloats = (path: string, ...parts: readonly Float32Array[]) =>
  writeFileSync(path, Buffer.concat(parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))))
