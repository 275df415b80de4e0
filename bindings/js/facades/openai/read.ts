// Readers, from which the tables of parameters are built (chat-completions.ts, completions.ts, sampling.ts). An unknown parameter
// or an unsupported value is an error that names it. A parameter that would only influence the style of an answer, and has no
// effect here, is a warning. As in OpenAI's API, null means absent.
import { isObject } from '../../page/readers.js'
import type { WebAbortSignal } from '../../types/web.js'
import { ParameterError } from './errors.js'

/** Called for a parameter that has no effect, with the reason. */
export type Warn = (param: string, problem: string) => void
/** Converts a value of a request. Throws a ParameterError that names `param`. */
export type Reader<Value> = (value: unknown, param: string, warn?: Warn) => Value
export type Readers = Readonly<Record<string, Reader<unknown>>>
/** The values that were read, without absent parameters. */
export type Read<Known extends Readers> = { [Name in keyof Known]?: ReturnType<Known[Name]> }

/** A value as text for an error message; the conversion itself may throw. */
export function show(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? typeof value
    return text.length > 80 ? `${text.slice(0, 80)}...` : text
  } catch {
    return typeof value
  }
}

const expect =
  <Value>(expected: string, isValid: (value: unknown) => boolean): Reader<Value> =>
  (value, param) => {
    if (isValid(value)) return value as Value
    throw new ParameterError(param, `expected ${expected}, got ${show(value)}`)
  }

const isIds = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(id => Number.isSafeInteger(id) && id >= 0)

export const text = expect<string>('a string', value => typeof value === 'string')
export const boolean = expect<boolean>('true or false', value => typeof value === 'boolean')
/** A JSON schema, or a Standard Schema, which may be a function. */
export const schema = expect<Record<string, unknown>>('a JSON schema', value => isObject(value) || typeof value === 'function')
const signal = expect<WebAbortSignal>('an AbortSignal', value => value instanceof AbortSignal)
export const object = expect<Record<string, unknown>>('an object', isObject)
export const number = (least: number, most: number) =>
  expect<number>(`a number from ${least} to ${most}`, value => typeof value === 'number' && value >= least && value <= most)
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  expect<number>(
    `an integer ${most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`}`,
    value => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  )

export const oneOf = <Value extends string>(...values: Value[]) =>
  expect<Value>(values.map(value => `"${value}"`).join(' or '), value => values.includes(value as Value))

/** Accepts only values that change nothing; `why` is the reason for not supporting others. */
export const only =
  (why: string, ...values: unknown[]): Reader<void> =>
  (value, param) => {
    if (values.includes(value)) return
    const problem = `${show(value)} is not supported${why && `: ${why}`}; use ${values.map(show).join(' or ')}`
    throw new ParameterError(param, problem, 'unsupported')
  }
/** Accepts any valid value of a parameter that has no effect here. */
export const ignored =
  (read: Reader<unknown> = () => {}): Reader<void> =>
  (value, param) => {
    read(value, param)
  }
/** Accepts a parameter that should influence the answer, but does not. Values other than `silent` cause a warning, `why`. */
export const noEffect =
  (why: string, ...silent: unknown[]): Reader<void> =>
  (value, param, warn) => {
    if (!silent.includes(value)) warn?.(param, why)
  }
/** Accepts no value, for a parameter whose feature does not exist here; `why` says what to use instead. */
export const refused =
  (why: string): Reader<void> =>
  (_, param) => {
    throw new ParameterError(param, why, 'unsupported')
  }

export const list =
  <Item>(item: Reader<Item>): Reader<Item[]> =>
  (value, param, warn) => {
    if (!Array.isArray(value)) throw new ParameterError(param, `expected an array, got ${show(value)}`)
    return Array.from(value, (one, at) => item(one, `${param}[${at}]`, warn))
  }

/** Texts or lists of token ids; a single one becomes a list of one. */
export const prompts: Reader<(string | number[])[]> = (value, param) => {
  if (typeof value === 'string' || isIds(value)) return [value as string | number[]]
  if (Array.isArray(value) && value.length > 0) {
    if (value.every(one => typeof one === 'string') || value.every(isIds)) return [...value]
  }
  throw new ParameterError(param, `expected a string, token ids, or an array of either, got ${show(value)}`)
}

/** An object with these parameters and no others. */
export const fields =
  <Known extends Readers>(known: Known): Reader<Read<Known>> =>
  (value, param, warn) => {
    const read: Record<string, unknown> = {}
    const prefix = param && `${param}.`
    for (const [name, given] of Object.entries(object(value, param))) {
      if (given === null || given === undefined) continue
      if (!Object.hasOwn(known, name)) {
        const problem = `unknown parameter; known: ${Object.keys(known).join(', ')}`
        throw new ParameterError(prefix + name, problem, 'unsupported')
      }
      const value = known[name]!(given, prefix + name, warn)
      if (value !== undefined) read[name] = value
    }
    return read as Read<Known>
  }

/** The parameters of a call, and its signal. */
export function readRequest<Known extends Readers>(
  known: Known,
  body: unknown,
  options: unknown,
  warn?: Warn,
): Read<Known> & { signal?: WebAbortSignal } {
  if (!isObject(body)) throw new ParameterError('body', `expected an object of parameters, got ${show(body)}`)
  return { ...fields(known)(body, '', warn), ...readOptions(options) }
}

/** Reads the options of a call besides its parameters. */
export const readOptions = (options: unknown): { signal?: WebAbortSignal } => fields({ signal })(options ?? {}, 'options')
