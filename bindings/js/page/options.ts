// Validates what callers pass. Each value is read once and copied into plain data, because objects of callers may be proxies, have
// getters, or come from another realm. An unknown option or an invalid value is an error that names it.
import { assetNames } from '../platform/assets.js'
import type {
  AttentionOf, AttentionOptions, AttentionSelection, ClassifyOptions, DetokenizeOptions, EmbedImagesOptions, EmbedOptions,
  AppendOptions, ContextShift, GatesOptions, GenerateAttention, GenerateOptions, ImageAttentionOptions, LoadOptions, LogitsOptions, ModelInfo, RerankOptions,
  TokenizeOptions,
} from '../types/index.js'
import type { HubOptions } from '../types/loading.js'
import type { DownloadOptions, HubStoreOptions, ImportOptions, PruneOptions, StoreOptions } from '../types/store.js'
import type { WebAbortSignal, WebUrl } from '../types/web.js'
import { HeedError } from '../wire/errors.js'
import type { GenerateParameters, Selection, WirePart, WirePrompt } from '../wire/protocol.js'
import { readSum } from './checksum.js'

/** Converts a value to plain data. Throws a Mismatch if it is not what is expected. */
type Reader<Value> = (value: unknown) => Value

/** Exactly one reader per option. */
type Readers<Options> = { [Name in keyof Required<Options>]: Reader<Options[Name]> }

class Mismatch extends Error {
  /** `got` is the part of the value that does not match, if it is not the whole value. */
  constructor(expected: string, readonly got?: { value: unknown }) {
    super(expected)
  }
}

const refuse = (message: string) => new HeedError('invalid-argument', message)

/** A value as text for an error message; the conversion itself may throw. */
function show(value: unknown): string {
  try {
    return typeof value === 'string' ? JSON.stringify(value) : String(value)
  } catch {
    return `a value of type ${typeof value}`
  }
}

const expect = <Value>(expected: string, isValid: (value: unknown) => value is Value): Reader<Value> => value => {
  if (isValid(value)) return value
  throw new Mismatch(expected)
}

const isInteger = (value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && value as number >= least && value as number <= most
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))

/** The largest index or id that the engine accepts. */
const mostIndex = 0x7fffffff
const isIndex = (value: unknown): value is number => isInteger(value, 0, mostIndex)

const boolean = expect('true or false', value => typeof value === 'boolean')
const integer = (least: number, most = Number.MAX_SAFE_INTEGER) => expect(
  most < Number.MAX_SAFE_INTEGER ? `an integer from ${least} to ${most}` : `an integer of at least ${least}`,
  (value): value is number => isInteger(value, least, most))
const count = (least: number) => expect(
  `an integer of at least ${least}`, (value): value is number => isInteger(value, least, mostIndex))
const number = (range: string, isInside: (value: number) => boolean) => expect(
  `a number ${range}`.trimEnd(), (value): value is number => typeof value === 'number' && Number.isFinite(value) && isInside(value))
const oneOf = <Value extends string>(...values: Value[]) => expect(
  values.map(value => `'${value}'`).join(' or '), (value): value is Value => values.includes(value as Value))
const signal = expect('an AbortSignal', (value): value is WebAbortSignal => value instanceof AbortSignal)

const listOf = <Item>(expected: string, isItem: (value: unknown) => value is Item): Reader<Item[]> => value => {
  const list = isList(value) ? Array.from(value) : undefined
  if (list?.every(isItem)) return list
  throw new Mismatch(expected)
}
const indices = listOf('an array of non-negative integers', isIndex)
const tokenIds: Reader<number[]> = value => {
  if (!isList(value)) throw new Mismatch('an array of token ids')
  return Array.from(value, id => {
    if (isIndex(id)) return id
    throw new Mismatch('a token id', { value: id })
  })
}
const part: Reader<WirePart> = value => {
  if (typeof value === 'string') return value
  if (isObject(value)) {
    const { control, ids } = value as { control?: unknown, ids?: unknown }
    if (typeof control === 'string' && ids === undefined) return { control }
    if (control === undefined && isList(ids)) return { ids: tokenIds(ids) }
  }
  throw new Mismatch('a string, { control } with a string, or { ids } with token ids', { value })
}
const prompt: Reader<WirePrompt> = value => {
  if (typeof value === 'string') return value
  const list = isList(value) ? Array.from(value) : undefined
  if (!list) throw new Mismatch('a string, an array of token ids, or an array of parts')
  if (list.some(item => typeof item === 'string' || isObject(item))) return { parts: list.map(part) }
  return tokenIds(list)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const stop: Reader<string[]> = value =>
  listOf('a non-empty string or an array of them', isText)(typeof value === 'string' ? [value] : value)

const logitBias: Reader<[number, number][]> = value => {
  if (isObject(value)) {
    const entries = (value instanceof Map ? [...value] : Object.entries(value)).map(([id, bias]) => [Number(id), bias])
    if (entries.every(([id, bias]) => isIndex(id) && typeof bias === 'number' && !Number.isNaN(bias) && bias !== Infinity)) {
      return entries as [number, number][]
    }
  }
  throw new Mismatch('an object or Map from token ids to numbers or -Infinity')
}

const isAddress = (value: unknown): value is string | WebUrl => typeof value === 'string' || value instanceof URL
const address = expect('a URL', isAddress)
const assetReaders = Object.fromEntries(assetNames.map(name => [name, address]))

const tokenizeReaders: Readers<TokenizeOptions> = { addSpecial: boolean, parseSpecial: boolean }
const selectionReaders: Readers<AttentionSelection> = { layers: indices, heads: indices }
const generateAttentionReaders: Readers<GenerateAttention> = { ...selectionReaders, of: oneOf('decoder', 'cross') }
const contextShiftReaders: Readers<ContextShift> = { keep: count(0) }
const embedReaders: Readers<EmbedImagesOptions> = {
  pooling: oneOf('mean', 'cls', 'last', 'none'), normalize: boolean, signal,
}

const text = expect('a non-empty string', isText)
const onProgress = expect(
  'a function', (value): value is NonNullable<LoadOptions['onProgress']> => typeof value === 'function')
const assets: Reader<NonNullable<LoadOptions['assets']>> = value => {
  if (isAddress(value)) return value
  if (isObject(value)) return readAll('loadModel: assets', value, assetReaders)
  throw new Mismatch('a URL, or an object from file names to URLs')
}

/** Returns the checksums in hexadecimal. */
const integrity: Reader<string[]> = value => {
  const sums = (isList(value) ? Array.from(value) : [value]).map(sum => typeof sum === 'string' ? readSum(sum) : undefined)
  if (sums.length > 0 && sums.every(sum => sum !== undefined)) return sums as string[]
  throw new Mismatch("'sha256-' and a SHA-256 in hexadecimal or Base64, or an array of these")
}

const isEndpoint = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
const hubReaders: Readers<HubOptions> = {
  revision: text, endpoint: expect('a URL that starts with https:', isEndpoint),
  // The message omits the value, because tokens are secret.
  token: value => {
    if (isText(value) && /^[!-~]+$/.test(value)) return value
    throw refuse('hub: token: expected a string of visible ASCII characters')
  },
}
const hub: Reader<HubOptions> = value => {
  if (isObject(value)) return readAll('hub', value, hubReaders)
  throw new Mismatch('{ revision, endpoint, token }')
}

/** Options of `generate` whose type changes when they are read. */
interface ReadGenerateOptions extends Omit<GenerateOptions, 'logitBias' | 'stop' | 'attention' | 'contextShift'> {
  logitBias?: [number, number][]
  stop?: string[]
  attention?: boolean | GenerateAttention
  contextShift?: Partial<ContextShift>
}

type WithSource<Options extends { source?: unknown }> = Omit<Options, 'source'> & { source?: WirePrompt }

const readers = {
  loadModel: {
    threads: integer(1, 256),
    contextLength: count(1),
    kvCache: oneOf('f32', 'f16', 'int16', 'int8'),
    memoryLimit: integer(1),
    parallel: integer(1, 32),
    prefixCache: integer(0),
    simd: oneOf('relaxed', 'simd128'),
    memory64: boolean,
    cache: boolean,
    integrity,
    hub,
    stallTimeout: count(1),
    assets,
    signal,
    onProgress,
  } satisfies Readers<LoadOptions>,

  list: { assets } satisfies Readers<StoreOptions>,
  clear: { assets } satisfies Readers<StoreOptions>,
  estimate: { assets } satisfies Readers<StoreOptions>,
  has: { hub, assets } satisfies Readers<HubStoreOptions>,
  delete: { hub, assets } satisfies Readers<HubStoreOptions>,
  download: { hub, integrity, stallTimeout: count(1), assets, signal, onProgress } satisfies Readers<DownloadOptions>,
  import: { name: text, assets, signal, onProgress } satisfies Readers<ImportOptions>,
  prune: { keepBytes: integer(0), assets } satisfies Readers<PruneOptions>,

  generate: {
    ...tokenizeReaders,
    maxTokens: count(1),
    temperature: number('of at least 0', value => value >= 0),
    topK: count(0),
    topP: number('above 0 and at most 1', value => value > 0 && value <= 1),
    minP: number('of at least 0 and below 1', value => value >= 0 && value < 1),
    repetitionPenalty: number('above 0', value => value > 0),
    frequencyPenalty: number('', () => true),
    presencePenalty: number('', () => true),
    penaltyWindow: count(0),
    logitBias,
    seed: integer(0),
    stop,
    stopAtEnd: boolean,
    special: boolean,
    signal,
    topLogprobs: count(0),
    attention: value => {
      if (isObject(value)) return readAll('generate: attention', value, generateAttentionReaders)
      return expect('true, false or { layers, heads, of }', (other): other is boolean => typeof other === 'boolean')(value)
    },
    speculate: oneOf('auto', 'off'),
    contextShift: value => {
      if (isObject(value)) return readAll('generate: contextShift', value, contextShiftReaders)
      throw new Mismatch('an object { keep }')
    },
  } satisfies Readers<ReadGenerateOptions>,

  append: { ...tokenizeReaders, signal } satisfies Readers<AppendOptions>,
  tokenize: tokenizeReaders,
  detokenize: { special: boolean, tidySpaces: boolean } satisfies Readers<DetokenizeOptions>,

  logits: {
    positions: value => value === 'all' ? value : listOf("'all' or an array of non-negative integers", isIndex)(value),
    source: prompt,
    signal,
  } satisfies Readers<WithSource<LogitsOptions>>,

  attention: {
    ...tokenizeReaders, ...selectionReaders, of: oneOf('decoder', 'encoder', 'cross'), source: prompt, signal,
  } satisfies Readers<WithSource<AttentionOptions>>,

  gates: { ...tokenizeReaders, layers: selectionReaders.layers, signal } satisfies Readers<GatesOptions>,

  embed: { ...tokenizeReaders, ...embedReaders, dimensions: count(1) } satisfies Readers<EmbedOptions>,
  rerank: { signal } satisfies Readers<RerankOptions>,
  embedImages: embedReaders,
  classify: { top: count(1), signal } satisfies Readers<ClassifyOptions>,
  imageAttention: { ...selectionReaders, signal } satisfies Readers<ImageAttentionOptions>,
}

type Call = keyof typeof readers
/** The validated options, without those that are undefined. */
type Read<Name extends Call> = { [Option in keyof typeof readers[Name]]?: ReturnType<Extract<typeof readers[Name][Option], Reader<unknown>>> }

function readAll<Options>(call: string, options: object, known: Readers<Options>): Options {
  const read: Record<string, unknown> = {}
  for (const name of tried(() => Object.keys(options), () => `${call}: the options cannot be read`)) {
    if (!Object.hasOwn(known, name)) {
      throw refuse(`${call} has no option "${name}"; its options are ${Object.keys(known).join(', ')}`)
    }
    const value = tried(() => (options as Record<string, unknown>)[name], () => `${call}: ${name}: cannot be read`)
    if (value === undefined) continue
    read[name] = matched(`${call}: ${name}`, value, known[name as keyof Options])
  }
  return read as Options
}

/** Runs a reader on a value. Throws `invalid-argument`. */
function matched<Value>(what: string, value: unknown, reader: Reader<Value>): Value {
  try {
    return reader(value)
  } catch (error) {
    if (error instanceof HeedError) throw error
    if (error instanceof Mismatch) throw refuse(`${what}: expected ${error.message}, got ${show(error.got ? error.got.value : value)}`)
    throw refuse(`${what}: cannot be read: ${show((error as Error)?.message)}`)
  }
}

/** Runs code that accesses a caller's object, which may throw anything. Throws `invalid-argument`. */
function tried<Result>(access: () => Result, message: () => string): Result {
  try {
    return access()
  } catch (error) {
    throw new HeedError('invalid-argument', message(), { cause: error })
  }
}

/** A plain copy of a call's options. Throws `invalid-argument` for unknown options and invalid values. */
export function readOptions<Name extends Call>(call: Name, options: unknown): Read<Name> {
  if (!tried(() => isObject(options), () => `${call}: the options cannot be read`)) {
    throw refuse(`${call}: expected an object of options, got ${show(options)}`)
  }
  return readAll(call, options as object, readers[call] as Readers<Read<Name>>)
}

/** Throws `invalid-argument` if `text` is not a string. */
export function checkText(call: string, text: unknown): asserts text is string {
  if (typeof text !== 'string') throw refuse(`${call}: expected a string, got ${show(text)}`)
}

/** Throws `invalid-argument` if `texts` is not an array of strings. */
export function readTexts(call: string, what: string, texts: unknown): string[] {
  const list = readList(call, what, texts)
  for (const text of list) checkText(call, text)
  return list as string[]
}

/** Throws `invalid-argument` if `list` is not an array. */
export const readList = (call: string, what: string, list: unknown): unknown[] => matched(call, list, value => {
  if (Array.isArray(value)) return Array.from(value)
  throw new Mismatch(`an array of ${what}`)
})

/** Throws `invalid-argument` if `ids` is not a list of token ids. */
export const readIds = (call: string, ids: unknown): number[] => matched(call, ids, tokenIds)

/** A copy of the bytes. Throws `invalid-argument` if `bytes` is neither an ArrayBuffer nor a view of one. */
export const readBytes = (call: string, bytes: unknown): Uint8Array => matched(call, bytes, value => {
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice())
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()
  throw new Mismatch('bytes from `save`')
})

/** Throws `invalid-argument` if `length` is not an integer from 0 to `most`. */
export const readLength = (call: string, length: unknown, most: number): number =>
  matched(`${call}: length`, length, integer(0, most))

/** Throws `invalid-argument` if `value` is not a string, a list of token ids or a list of parts. */
export const readPrompt = (call: string, value: unknown): WirePrompt => matched(call, value, prompt)

/**
 * Returns `source`, the text that the encoder reads in calls about the decoder. Throws `invalid-argument` if it is missing, or if
 * the call takes none.
 */
export function checkSource(call: string, source: WirePrompt | undefined, info: ModelInfo, of?: AttentionOf) {
  const needed = info.generates && info.embeds && of !== 'encoder'
  if (needed && source === undefined) throw refuse(`${call}: source: required: the text for the encoder to read`)
  if (!needed && source !== undefined) throw refuse(`${call}: source: there is no separate encoder to read it`)
  return source
}

export function generateParameters(options: Read<'generate'>, seed: number): GenerateParameters {
  const { addSpecial = true, parseSpecial = false, signal: _, attention, speculate, contextShift, ...plain } = options
  const asked = attention === true ? {} : attention
  if (contextShift && contextShift.keep === undefined) throw refuse('generate: contextShift: keep: give the number of tokens')
  return {
    ...plain, addSpecial, parseSpecial, seed,
    attention: asked ? { ...selection(asked), of: asked.of } : undefined,
    speculate: speculate !== 'off',
    contextShift: contextShift?.keep,
  }
}

/** Empty lists select everything. */
export const selection = ({ layers = [], heads = [] }: AttentionSelection): Selection =>
  ({ layers: [...layers], heads: [...heads] })
