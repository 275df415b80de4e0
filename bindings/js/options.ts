// Checks of what callers pass: an unknown option, or a value out of its range, is an error that names it.
import { HeedError } from './errors.js'
import { assetNames } from './platform/assets.js'
import type { Selection } from './protocol.js'
import type {
  AttentionOf, AttentionOptions, AttentionSelection, ClassifyOptions, DetokenizeOptions, EmbedImagesOptions, EmbedOptions,
  GenerateAttention, GenerateOptions, ImageAttentionOptions, LoadOptions, LogitsOptions, ModelInfo, Prompt, RerankOptions,
  TokenizeOptions,
} from './types.js'

/** Says what was expected of a value, or nothing where it is right. */
type Check = (value: unknown) => string | undefined
type Checks = Readonly<Record<string, Check>>

const expect = (expected: string, test: (value: unknown) => boolean): Check =>
  value => test(value) ? undefined : expected

const isInteger = (value: unknown, least = 0): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least
const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) || ArrayBuffer.isView(value)
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const boolean = expect('true or false', value => typeof value === 'boolean')
const integer = (least: number, most = Number.MAX_SAFE_INTEGER) => expect(
  `an integer from ${least}` + (most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''),
  value => isInteger(value, least) && value <= most)
const number = (range: string, test: (value: number) => boolean) =>
  expect(`a number ${range}`, value => typeof value === 'number' && Number.isFinite(value) && test(value))
const oneOf = (...values: string[]) =>
  expect(values.map(value => `'${value}'`).join(' or '), value => values.includes(value as string))
const signal = expect('an AbortSignal', value => value instanceof AbortSignal)
const indices = expect('an array of integers from 0', value =>
  isList(value) && [...value].every(item => isInteger(item)))
const prompt = expect('a text or an array of token ids', value =>
  typeof value === 'string' || (isList(value) && [...value].every(item => isInteger(item))))
const texts = (value: unknown) => (typeof value === 'string' ? [value] : value)

const biases = (value: unknown): [unknown, unknown][] =>
  value instanceof Map ? [...value] : Object.entries(value as object)

/** A check for each option, no more and no fewer. */
type Complete<Options> = Record<keyof Options, Check>

const tokenizeChecks = { addSpecial: boolean, parseSpecial: boolean } satisfies Complete<TokenizeOptions>
const selectionChecks = { layers: indices, heads: indices } satisfies Complete<AttentionSelection>
const generateAttentionChecks = {
  ...selectionChecks, of: oneOf('decoder', 'cross'),
} satisfies Complete<GenerateAttention>
const embedChecks = {
  pooling: oneOf('mean', 'cls', 'last', 'none'), normalize: boolean, signal,
} satisfies Complete<EmbedImagesOptions>

const address = expect('an address', value => typeof value === 'string' || value instanceof URL)
const assetChecks = Object.fromEntries(assetNames.map(name => [name, address]))

export const checks = {
  loadModel: {
    threads: integer(1, 256),
    contextLength: integer(1),
    kvCache: oneOf('f32', 'f16', 'int16', 'int8'),
    memoryLimit: integer(1),
    simd: oneOf('relaxed', 'simd128'),
    assets: value => {
      if (typeof value === 'string' || value instanceof URL) return undefined
      if (isObject(value)) return checkAll('loadModel: assets', value, assetChecks)
      return 'an address, or an object from names of files to addresses'
    },
    signal,
    onProgress: expect('a function', value => typeof value === 'function'),
  } satisfies Complete<LoadOptions>,

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
    attention: value => {
      if (isObject(value)) return checkAll('generate: attention', value, generateAttentionChecks)
      return typeof value === 'boolean' ? undefined : 'true, false or { layers, heads, of }'
    },
  } satisfies Complete<GenerateOptions>,

  tokenize: tokenizeChecks,
  detokenize: { special: boolean, tidySpaces: boolean } satisfies Complete<DetokenizeOptions>,

  logits: {
    positions: value => value === 'all' ? undefined : indices(value) && `'all' or ${indices(value)}`,
    source: prompt,
    signal,
  } satisfies Complete<LogitsOptions>,

  attention: {
    ...tokenizeChecks, ...selectionChecks, of: oneOf('decoder', 'encoder', 'cross'), source: prompt, signal,
  } satisfies Complete<AttentionOptions>,

  embed: { ...tokenizeChecks, ...embedChecks } satisfies Complete<EmbedOptions>,
  rerank: { signal } satisfies Complete<RerankOptions>,
  embedImages: embedChecks,
  classify: { top: integer(1), signal } satisfies Complete<ClassifyOptions>,
  imageAttention: { ...selectionChecks, signal } satisfies Complete<ImageAttentionOptions>,
}

const refuse = (message: string) => new HeedError('invalid-argument', message)
const show = (value: unknown) => typeof value === 'string' ? JSON.stringify(value) : String(value)

function checkAll(call: string, options: object, known: Checks): undefined {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name)) {
      throw refuse(`${call} has no option "${name}"; it has ${Object.keys(known).join(', ')}`)
    }
    const expected = value === undefined ? undefined : known[name]!(value)
    if (expected) throw refuse(`${call}: ${name}: expected ${expected}, got ${show(value)}`)
  }
}

/** Throws `invalid-argument` for an option that the call does not have, or a value that it cannot use. */
export function checkOptions(call: keyof typeof checks, options: unknown): void {
  if (!isObject(options)) throw refuse(`${call}: expected an object of options, got ${show(options)}`)
  checkAll(call, options, checks[call])
}

/** Throws `invalid-argument` for what is not text. */
export function checkText(call: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw refuse(`${call}: expected a text, got ${show(text)}`)
}

/** Throws `invalid-argument` for what is not a list of token ids. */
export function checkIds(call: string, ids: unknown): number[] {
  if (!isList(ids)) throw refuse(`${call}: expected an array of token ids, got ${show(ids)}`)
  const list = [...ids] as number[]
  const wrong = list.find(id => !isInteger(id) || id > 0x7fffffff)
  if (wrong !== undefined) throw refuse(`${call}: ${show(wrong)} is not a token id`)
  return list
}

/** Throws `invalid-argument` for what is neither text nor a list of token ids. */
export const checkPrompt = (call: string, prompt: unknown): string | number[] =>
  typeof prompt === 'string' ? prompt : checkIds(call, prompt)

/**
 * What the encoder reads while the decoder is asked something. Throws `invalid-argument` where a source is missing, or given
 * to a model without use for it.
 */
export function checkSource(call: string, source: Prompt | undefined, info: ModelInfo, of?: AttentionOf) {
  const needed = info.generates && info.embeds && of !== 'encoder'
  if (needed && source === undefined) throw refuse(`${call}: source: the decoder attends to what the encoder reads; give it`)
  if (!needed && source !== undefined) throw refuse(`${call}: source: there is no encoder beside what is asked`)
  return source === undefined ? undefined : checkPrompt(call, source)
}

/** Options of `generate` in the form that the engine reads. */
export interface GenerateParameters
  extends Omit<GenerateOptions, 'signal' | 'logitBias' | 'stop' | 'attention'> {
  addSpecial: boolean
  parseSpecial: boolean
  seed: number
  logitBias?: [number, number][]
  stop?: string[]
  attention?: Selection & { of?: 'decoder' | 'cross' }
}

export function generateParameters(options: GenerateOptions, seed: number): GenerateParameters {
  const { addSpecial = true, parseSpecial = false, signal: _, logitBias, stop, attention, ...plain } = options
  return {
    ...plain,
    addSpecial,
    parseSpecial,
    seed,
    logitBias: logitBias && biases(logitBias).map(([id, bias]) => [Number(id), bias as number]),
    stop: texts(stop) as string[] | undefined,
    attention: attention
      ? { ...selection(attention === true ? {} : attention), of: attention === true ? undefined : attention.of } : undefined,
  }
}

/** Empty lists select all. */
export const selection = ({ layers = [], heads = [] }: AttentionSelection): Selection =>
  ({ layers: [...layers], heads: [...heads] })
