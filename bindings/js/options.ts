// Checks of what callers pass: an unknown option, or a value out of its range, is an error that names it.
import { HeedError } from './errors.js'
import type {
  AttentionOptions, AttentionSelection, DetokenizeOptions, GenerateOptions, LoadOptions, LogitsOptions, TokenizeOptions,
} from './types.js'

/** Says what was expected of a value, or nothing where it is right. */
type Check = (value: unknown) => string | undefined
type Checks = Readonly<Record<string, Check>>

const expect = (expected: string, test: (value: unknown) => boolean): Check => value => test(value) ? undefined : expected

const isInteger = (value: unknown, least = 0): value is number => Number.isSafeInteger(value) && (value as number) >= least
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) || ArrayBuffer.isView(value)

const boolean = expect('true or false', value => typeof value === 'boolean')
const integer = (least: number, most = Number.MAX_SAFE_INTEGER) => expect(
  `an integer from ${least}` + (most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''),
  value => isInteger(value, least) && value <= most)
const number = (range: string, test: (value: number) => boolean) =>
  expect(`a number ${range}`, value => typeof value === 'number' && Number.isFinite(value) && test(value))
const oneOf = (...values: string[]) =>
  expect(values.map(value => `'${value}'`).join(' or '), value => values.includes(value as string))
const signal = expect('an AbortSignal', value => value instanceof AbortSignal)
const indices = expect('an array of integers from 0', value => isList(value) && [...value].every(item => isInteger(item)))
const texts = (value: unknown) => (typeof value === 'string' ? [value] : value)

const biases = (value: unknown) => [...(value instanceof Map ? value : Object.entries(value as object))] as [unknown, unknown][]

const tokenizeChecks = { addSpecial: boolean, parseSpecial: boolean } satisfies Record<keyof TokenizeOptions, Check>
const selectionChecks = { layers: indices, heads: indices } satisfies Record<keyof AttentionSelection, Check>

export const checks = {
  loadModel: {
    threads: integer(1, 256),
    contextLength: integer(1),
    kvCache: oneOf('f32', 'f16', 'int8'),
    memoryLimit: integer(1),
    simd: oneOf('relaxed', 'simd128'),
    signal,
    onProgress: expect('a function', value => typeof value === 'function'),
  } satisfies Record<keyof LoadOptions, Check>,

  generate: {
    ...tokenizeChecks,
    maxTokens: integer(1),
    temperature: number('from 0', value => value >= 0),
    topK: integer(0),
    topP: number('above 0, at most 1', value => value > 0 && value <= 1),
    minP: number('from 0, below 1', value => value >= 0 && value < 1),
    repetitionPenalty: number('above 0', value => value > 0),
    frequencyPenalty: number('', () => true),
    presencePenalty: number('', () => true),
    penaltyWindow: integer(0),
    logitBias: expect('an object or Map from token ids to numbers, or -Infinity', value =>
      typeof value === 'object' && value !== null && biases(value).every(([id, bias]) =>
        isInteger(Number(id)) && typeof bias === 'number' && !Number.isNaN(bias) && bias !== Infinity)),
    seed: integer(0),
    stop: expect('a non-empty text or an array of them', value => {
      const list = texts(value)
      return Array.isArray(list) && list.every(item => typeof item === 'string' && item !== '')
    }),
    stopAtEnd: boolean,
    signal,
    topLogprobs: integer(0),
    attention: value => typeof value === 'boolean' ? undefined
      : isObject(value) ? checkAll('generate: attention', value, selectionChecks) : 'true, false or { layers, heads }',
  } satisfies Record<keyof GenerateOptions, Check>,

  tokenize: tokenizeChecks,
  detokenize: { special: boolean, tidySpaces: boolean } satisfies Record<keyof DetokenizeOptions, Check>,

  logits: {
    positions: value => value === 'all' ? undefined : indices(value) && `'all' or ${indices(value)}`,
    signal,
  } satisfies Record<keyof LogitsOptions, Check>,

  attention: { ...tokenizeChecks, ...selectionChecks, signal } satisfies Record<keyof AttentionOptions, Check>,
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

function checkAll(call: string, options: object, known: Checks): undefined {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) {
      throw new HeedError('invalid-argument', `${call} has no option "${name}"; it has ${Object.keys(known).join(', ')}`)
    }
    const expected = value === undefined ? undefined : known[name]!(value)
    if (expected) throw new HeedError('invalid-argument', `${call}: ${name}: expected ${expected}, got ${show(value)}`)
  }
}

const show = (value: unknown) => typeof value === 'string' ? JSON.stringify(value) : String(value)

/** Throws `invalid-argument` for an option that the call does not have, or a value that it cannot use. */
export function checkOptions(call: keyof typeof checks, options: unknown): void {
  if (!isObject(options)) throw new HeedError('invalid-argument', `${call}: expected an object of options, got ${show(options)}`)
  checkAll(call, options, checks[call])
}

/** Throws `invalid-argument` for what is not text. */
export function checkText(call: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw new HeedError('invalid-argument', `${call}: expected a text, got ${show(text)}`)
}

/** Throws `invalid-argument` for what is not a list of token ids. */
export function checkIds(call: string, ids: unknown): number[] {
  if (!isList(ids)) throw new HeedError('invalid-argument', `${call}: expected an array of token ids, got ${show(ids)}`)
  const list = [...ids] as number[]
  const wrong = list.find(id => !isInteger(id) || id > 0x7fffffff)
  if (wrong !== undefined) throw new HeedError('invalid-argument', `${call}: ${show(wrong)} is not a token id`)
  return list
}

/** Options of `generate` in the form that the engine reads. */
export function generateParameters(options: GenerateOptions, seed: number): GenerateParameters {
  const { addSpecial = true, parseSpecial = false, signal: _, logitBias, stop, attention, ...plain } = options
  return {
    ...plain,
    addSpecial,
    parseSpecial,
    seed,
    logitBias: logitBias && biases(logitBias).map(([id, bias]) => [Number(id), bias as number]),
    stop: texts(stop) as string[] | undefined,
    attention: attention ? selection(attention === true ? {} : attention) : undefined,
  }
}

/** Empty lists select all. */
export const selection = ({ layers = [], heads = [] }: AttentionSelection) => ({ layers: [...layers], heads: [...heads] })

export type GenerateParameters = Required<TokenizeOptions>
  & Omit<GenerateOptions, 'signal' | 'logitBias' | 'stop' | 'attention' | 'seed' | keyof TokenizeOptions>
  & { seed: number, logitBias?: [number, number][], stop?: string[], attention?: { layers: number[], heads: number[] } }
