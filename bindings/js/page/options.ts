// The options of every call: of each its name, type, range and, if it is a fixed value, its default. From these descriptions come the
// checks at the calls. The types in `types/` have the same names and say what each option is for; tests/package/descriptions.test.js
// compares names and defaults.
import { assetNames } from '../platform/assets.js'
import type {
  AdapterOptions,
  AppendOptions,
  AttentionOptions,
  AttentionPartsOptions,
  AttentionSelection,
  AttributeOptions,
  ChangeOptions,
  ClassifyOptions,
  CompileOptions,
  ContextShift,
  ControlVectorOptions,
  DecodeImageOptions,
  DetokenizeOptions,
  DirectionOptions,
  EmbedImagesOptions,
  EmbedOptions,
  EmbedProgress,
  FindHeadsOptions,
  GatesOptions,
  GenerateAttention,
  GenerateOptions,
  HiddenOptions,
  ImageAttentionOptions,
  ImageBound,
  LensOptions,
  LoadOptions,
  LoadProgress,
  LogitsOptions,
  ModelSource,
  PromptProgress,
  ReadOptions,
  RerankOptions,
  ScoreOptions,
  Token,
  TokenizeOptions,
  ValueNormsOptions,
} from '../types/index.js'
import type { HubOptions } from '../types/loading.js'
import type { DownloadOptions, HubStoreOptions, ImportOptions, PruneOptions, StoreOptions } from '../types/store.js'
import type { WebUrl } from '../types/web.js'
import { HeedError, refuse } from '../wire/errors.js'
import type { TokenName, WirePart, WirePrompt } from '../wire/protocol.js'
import { reading } from './called-from.js'
import type { ChatOptions } from './chat/messages.js'
import { readTools, toolChoice } from './chat/tools.js'
import { readSum } from './checksum.js'
import { adapters, editsReader } from './edits.js'
import { form, formOrConstraint } from './forms.js'
import {
  boolean,
  callback,
  copyOf,
  copyOfData,
  count,
  type Description,
  expect,
  integer,
  isIndex,
  isObject,
  isString,
  isText,
  itemsOf,
  listOf,
  matched,
  Mismatch,
  mostIndex,
  number,
  object,
  oneOf,
  type Read,
  type Reader,
  readAll,
  required,
  signal,
  text,
  wellFormed,
} from './readers.js'

/** A description has each option of a type, and no other. */
type Describes<Options> = { readonly [Name in keyof Required<Options>]: Description[string] }

/** More layers, heads or named tokens than any model has or any figure shows. */
const mostChosen = 2 ** 16
const indices = listOf<number>('an array of non-negative integers', isIndex, mostChosen)
const tokenId = expect<number>('a token id', isIndex)
export const tokenIds: Reader<number[]> = (value, what) => {
  const list = itemsOf(value)
  if (list) return list.map(id => matched(what, id, tokenId))
  throw new Mismatch('an array of token ids')
}
export const hasImage = (part: unknown): part is { image: unknown } => isObject(part) && part.image !== undefined
/** What a part with an image may have besides. */
export const imageBound = { maxImageTokens: count(1) } satisfies Describes<ImageBound>
export const part: Reader<WirePart> = (value, what) => {
  if (isString(value)) return wellFormed(value)
  if (hasImage(value))
    throw new HeedError('unsupported', `${what}: no images here; they can be in texts that a decoder reads or continues`)
  if (isObject(value)) {
    const { control, ids } = value
    if (isString(control) && ids === undefined) return { control: wellFormed(control) }
    if (control === undefined && itemsOf(ids)) return { ids: tokenIds(ids, what) }
  }
  throw new Mismatch('a string, { control } with a string, or { ids } with token ids')
}
export const prompt: Reader<WirePrompt> = (value, what) => {
  if (isString(value)) return wellFormed(value)
  const list = itemsOf(value)
  if (!list) throw new Mismatch('a string, an array of token ids, or an array of parts')
  if (list.length > 1 && list.every(isString)) {
    throw refuse(`${what}: expected one text, got a list of ${list.length}: call it for each, or join them`)
  }
  if (list.some(item => isString(item) || isObject(item))) return { parts: list.map(item => matched(what, item, part)) }
  return tokenIds(list, what)
}

/** Infinity stands for the room that is left in the context. */
const tokenLimit: Reader<number> = (value, what) => (value === Infinity ? mostIndex : count(1)(value, what))
/** All of them are looked for after each token. */
const mostStops = 4096
const texts = listOf<string>('a non-empty string or an array of them', isText, mostStops)
const stop: Reader<string[]> = (value, what) => texts(isString(value) ? [value] : value, what)
const logitBias: Reader<[number, number][]> = value => {
  if (isObject(value)) {
    const entries = (value instanceof Map ? [...value] : Object.entries(value)).map(([id, bias]) => [Number(id), bias])
    if (entries.every(([id, bias]) => isIndex(id) && typeof bias === 'number' && !Number.isNaN(bias) && bias !== Infinity)) {
      return entries as [number, number][]
    }
  }
  throw new Mismatch('an object or Map from token ids to numbers or -Infinity')
}

const isAddress = (value: unknown) => isString(value) || value instanceof URL
const address = expect<string | WebUrl>('a URL', isAddress)
const assetsByName = object(Object.fromEntries(assetNames.map(name => [name, address])))
const assets: Reader<NonNullable<LoadOptions['assets']>> = (value, what) => {
  if (isAddress(value)) return value as string | WebUrl
  if (isObject(value)) return assetsByName(value, what)
  throw new Mismatch('a URL, or an object from file names to URLs')
}

/** Returns the checksums in hexadecimal. */
const integrity: Reader<string[]> = value => {
  const sums = (itemsOf(value) ?? [value]).map(sum => (isString(sum) ? readSum(sum) : undefined))
  if (sums.length > 0 && sums.every(sum => sum !== undefined)) return sums as string[]
  throw new Mismatch("'sha256-' and a SHA-256 in hexadecimal or Base64, or an array of these")
}

const isEndpoint = (value: unknown) => isString(value) && /^https?:/i.test(value) && URL.canParse(value)
const hub = object({
  revision: text,
  endpoint: expect<string>('an https: URL', isEndpoint),
  // The message omits the value, because tokens are secret.
  token: (value, what): string => {
    if (isString(value) && /^[!-~]+$/.test(value)) return value
    throw refuse(`${what}: expected a string of visible ASCII characters`)
  },
} satisfies Describes<HubOptions>)

const onProgress = callback as Reader<(progress: LoadProgress) => void>
const loading = { hub, integrity, stallTimeout: count(1), assets, signal, onProgress } as const
const download = { ...loading, cache: oneOf('reload') } satisfies Describes<DownloadOptions>
const cache = [
  expect<boolean | 'reload'>("true, false or 'reload'", value => typeof value === 'boolean' || value === 'reload'),
  false,
] as const

/** In a session, `addSpecial` depends on whether it is empty. */
const tokenizeOptions = { addSpecial: boolean, parseSpecial: [boolean, false] } satisfies Describes<TokenizeOptions>
const tokenize = { ...tokenizeOptions, addSpecial: [boolean, true] } satisfies Describes<TokenizeOptions>
const selection = { layers: [indices, []], heads: [indices, []] } satisfies Describes<AttentionSelection>
const embedImages = {
  pooling: oneOf('mean', 'cls', 'last', 'none'),
  normalize: [boolean, false],
  signal,
} satisfies Describes<EmbedImagesOptions>

const decoderAttention = object({ ...selection, of: oneOf('decoder', 'cross') } satisfies Describes<GenerateAttention>)
const shift = object({ keep: [count(0), required] } satisfies Describes<ContextShift>)
const contextShift: Reader<number> = (value, what) => shift(value, what).keep

const changes = { adapters, edits: editsReader(prompt) } satisfies Describes<ChangeOptions>
const readingText = { ...tokenize, ...changes, signal } satisfies Describes<ReadOptions>
const isLayer = (value: unknown) => value === -1 || isIndex(value)
const stateLayers = [listOf<number>('an array of layers, from -1 on', isLayer, mostChosen), []] as const
const places = listOf<number>('an array of integers', value => isIndex(Math.abs(value as number)))
const tokenName: Reader<TokenName> = value => {
  if (isIndex(value)) return value
  if (isString(value) && isText(value)) return wellFormed(value)
  throw new Mismatch("a token's text or id")
}
const sources: Reader<[string, ModelSource][]> = value => {
  if (isObject(value)) return Object.entries(value) as [string, ModelSource][]
  throw new Mismatch('an object from the names of adapters to their sources')
}
const { assets: _, ...file } = { ...loading, cache } as const

const onReading = callback as Reader<(progress: PromptProgress) => void>

/** What `generate` and `chat` share: all but how text becomes tokens and tokens text, which a chat's template decides. */
const generation = {
  temperature: [number('of at least 0', value => value >= 0), 0.8],
  topK: [count(0), 40],
  topP: [number('above 0 and at most 1', value => value > 0 && value <= 1), 0.95],
  minP: [number('of at least 0 and below 1', value => value >= 0 && value < 1), 0.05],
  repetitionPenalty: [number('above 0', value => value > 0), 1],
  frequencyPenalty: [number('', () => true), 0],
  presencePenalty: [number('', () => true), 0],
  penaltyWindow: [count(0), 64],
  logitBias,
  seed: integer(0),
  stop,
  signal,
  onProgress: onReading,
  topLogprobs: [count(0), 0],
  attention: (value: unknown, what: string) =>
    isObject(value)
      ? decoderAttention(value, what)
      : expect<boolean>('true, false or { layers, heads, of }', other => typeof other === 'boolean')(value, what)
        ? decoderAttention({}, what)
        : undefined,
  speculate: [oneOf('auto', 'off'), 'auto'],
  contextShift,
  ...formOrConstraint,
  ...changes,
} satisfies Description

export const template = copyOf<NonNullable<ChatOptions['template']>>(
  'a name, Jinja or { jinja }',
  value => isString(value) || (isObject(value) && isString(value.jinja)),
)
const now: Reader<Date> = value => {
  const date = new Date(value instanceof Date || isString(value) ? value : NaN)
  if (!Number.isNaN(+date)) return date
  throw new Mismatch('a Date or an ISO date')
}

/** The options of every call, by the name of the call. */
export const calls = {
  loadModel: {
    threads: integer(1, 256),
    contextLength: count(1),
    kvCache: oneOf('f32', 'f16', 'int16', 'int8'),
    memoryLimit: integer(1),
    parallel: integer(1, 32),
    prefixCache: integer(0),
    simd: oneOf('relaxed', 'simd128'),
    memory64: boolean,
    adapters: sources,
    projector: value => value as ModelSource,
    ...loading,
    cache,
  } satisfies Describes<LoadOptions>,

  list: { assets } satisfies Describes<StoreOptions>,
  clear: { assets } satisfies Describes<StoreOptions>,
  estimate: { assets } satisfies Describes<StoreOptions>,
  has: { hub, assets } satisfies Describes<HubStoreOptions>,
  delete: { hub, assets } satisfies Describes<HubStoreOptions>,
  download,
  import: { name: text, assets, signal, onProgress } satisfies Describes<ImportOptions>,
  prune: { keepBytes: [integer(0), required], assets } satisfies Describes<PruneOptions>,

  generate: {
    ...tokenizeOptions,
    ...generation,
    maxTokens: [tokenLimit, 256],
    stopAtEnd: [boolean, true],
    special: [boolean, false],
  } satisfies Describes<GenerateOptions>,
  chat: {
    ...generation,
    maxTokens: [tokenLimit, mostIndex],
    tools: [readTools, []],
    toolChoice: [toolChoice, 'auto'],
    parallelToolCalls: [boolean, true],
    maxSteps: [count(1), 8],
    think: boolean,
    trim: [boolean, false],
    continueFinal: [boolean, false],
    template,
    variables: (value, what) => {
      if (isObject(value)) return copyOfData(value, what) as Record<string, unknown>
      throw new Mismatch('an object')
    },
    now,
    onToken: callback as Reader<(token: Token) => void>,
  } satisfies Describes<ChatOptions>,
  compile: { ...form, signal } satisfies Describes<CompileOptions>,
  append: { ...tokenizeOptions, ...changes, signal, onProgress: onReading } satisfies Describes<AppendOptions>,
  tokenize,
  imageTokens: imageBound,
  detokenize: {
    special: [boolean, false],
    tidySpaces: [boolean, false],
    bytes: [boolean, false],
  } satisfies Describes<DetokenizeOptions>,

  logits: {
    positions: value =>
      value === 'all' ? value : listOf<number>("'all' or an array of non-negative integers", isIndex)(value, ''),
    source: prompt,
    ...readingText,
  } satisfies Describes<LogitsOptions>,
  attention: {
    ...tokenize,
    ...selection,
    ...changes,
    of: oneOf('decoder', 'encoder', 'cross'),
    source: prompt,
    signal,
  } satisfies Describes<AttentionOptions>,
  attentionParts: {
    ...tokenize,
    layer: [count(0), required],
    head: [count(0), required],
    query: integer(-mostIndex, mostIndex),
    of: oneOf('decoder', 'encoder', 'cross'),
    source: prompt,
    signal,
  } satisfies Describes<AttentionPartsOptions>,
  valueNorms: {
    ...tokenize,
    ...selection,
    of: oneOf('decoder', 'encoder'),
    source: prompt,
    signal,
  } satisfies Describes<ValueNormsOptions>,
  gates: { ...tokenize, layers: selection.layers, signal } satisfies Describes<GatesOptions>,

  hidden: { ...readingText, layers: stateLayers, positions: places } satisfies Describes<HiddenOptions>,
  lens: {
    ...readingText,
    layers: stateLayers,
    positions: (value, what) => (value === 'all' ? value : places(value, what)),
    top: [count(0), 5],
    tokens: [
      (value, what) => {
        const list = itemsOf(value, mostChosen)
        if (list) return list.map(one => matched(what, one, tokenName))
        throw new Mismatch('an array of texts and ids of tokens')
      },
      [],
    ],
  } satisfies Describes<LensOptions>,
  direction: { ...readingText, layer: [integer(-1, mostIndex), required] } satisfies Describes<DirectionOptions>,
  score: { ...readingText, by: [oneOf('sum', 'mean'), 'sum'] } satisfies Describes<ScoreOptions>,
  findHeads: {
    ...changes,
    length: count(2),
    sequences: [integer(1, 65_536), 4],
    seed: [integer(0), 0],
    signal,
  } satisfies Describes<FindHeadsOptions>,
  attribute: {
    ...readingText,
    token: tokenName,
    position: integer(-mostIndex, mostIndex),
  } satisfies Describes<AttributeOptions>,
  loadAdapter: file satisfies Describes<AdapterOptions>,
  controlVector: {
    ...file,
    scale: [number('', () => true), 1],
    layers: copyOf<readonly [number, number]>(
      '[first, last]',
      value => itemsOf(value)?.length === 2 && itemsOf(value)!.every(isIndex),
    ),
  } satisfies Describes<ControlVectorOptions>,

  embed: {
    ...tokenize,
    ...embedImages,
    dimensions: count(1),
    truncate: [boolean, false],
    onProgress: callback as Reader<(progress: EmbedProgress) => void>,
  } satisfies Describes<EmbedOptions>,
  rerank: { signal } satisfies Describes<RerankOptions>,
  embedImages,
  classify: { top: [count(1), 5], signal } satisfies Describes<ClassifyOptions>,
  imageAttention: { ...selection, signal } satisfies Describes<ImageAttentionOptions>,
  decodeImage: { signal } satisfies Describes<DecodeImageOptions>,
}

export type Options<Call extends keyof typeof calls> = Read<(typeof calls)[Call]>

/** A plain copy of a call's options, with defaults. Throws `invalid-argument` for unknown options and invalid values. */
export const readOptions = <Call extends keyof typeof calls>(call: Call, options: unknown = {}): Options<Call> =>
  reading(() => readAll(call, options, calls[call])) as Options<Call>
