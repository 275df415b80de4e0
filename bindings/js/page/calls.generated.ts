// Written by tools/contract from api/: how the options of every call are checked and copied.
import type { TranscribeProgress, TranscriptSegment } from '../types/audio.js'
import type { LoadProgress, ModelSource } from '../types/loading.js'
import type { EmbedProgress, PromptProgress, Token, UnmaskedStep } from '../types/results.js'
import { readTools, toolChoice } from './chat/tools.js'
import { choices, constraint, inNotation, jsonSchema, regex, schemas, whitespace } from './constraints.js'
import { adapters, edits } from './edits.js'
import {
  assets,
  cache,
  draft,
  endpoint,
  firstAndLast,
  indices,
  integrity,
  kept,
  logitBias,
  now,
  places,
  placesOrAll,
  pointNames,
  recorded,
  somePlaces,
  sources,
  speculate,
  stateLayers,
  stop,
  temperatures,
  template,
  thinking,
  token,
  tokenLimit,
  tokenName,
  tokenNames,
  variables,
} from './kinds.js'
import { prompt } from './prompts.js'
import {
  type Description,
  type Reader,
  anyNumber,
  boolean,
  callback,
  count,
  integer,
  mostIndex,
  number,
  object,
  oneOf,
  required,
  signal,
  text,
} from './readers.js'

const changeOptions = {
  adapters,
  edits,
} satisfies Description

/** The notations of a constraint, and the options of schemas. */
export const constraintOptions = {
  jsonSchema: inNotation('schema', jsonSchema),
  regex: inNotation('regex', regex),
  grammar: inNotation('gbnf', text),
  choices,
  whitespace,
  maxWhitespace: integer(0, 65535),
  order: oneOf('schema', 'any'),
  formats: oneOf('known', 'strict', 'annotate'),
  escapes: oneOf('any', 'canonical'),
  closed: boolean,
  schemas,
} satisfies Description

const embedImagesOptions = {
  pooling: oneOf('mean', 'cls', 'last', 'none'),
  normalize: [boolean, false],
  signal,
} satisfies Description

const tokenizeOptions = {
  addSpecial: [boolean, true],
  parseSpecial: [boolean, false],
} satisfies Description

const readOptions = {
  ...tokenizeOptions,
  ...changeOptions,
  signal,
} satisfies Description

const attentionSelection = {
  layers: [indices, []],
  heads: [indices, []],
} satisfies Description

const hubOptions = {
  revision: text,
  endpoint,
  token,
} satisfies Description

const adapterOptions = {
  hub: object(hubOptions),
  integrity,
  stallTimeout: count(1),
  signal,
  onProgress: callback as Reader<(progress: LoadProgress) => void>,
  cache: [cache, false],
} satisfies Description

const storeOptions = {
  assets,
} satisfies Description

const hubStoreOptions = {
  ...storeOptions,
  hub: object(hubOptions),
} satisfies Description

const loadOptionsInCommon = {
  threads: integer(1, 256),
  contextLength: count(1),
  kvCache: [oneOf('auto', 'f32', 'f16', 'int16', 'q8', 'q4', 'int8'), 'auto'],
  memoryLimit: integer(1),
  parallel: integer(1, 32),
  prefixCache: integer(0),
  simd: oneOf('relaxed', 'simd128'),
  memory64: boolean,
  draft,
  assets,
  crossOriginStorage: [boolean, false],
  hub: object(hubOptions),
  stallTimeout: count(1),
  signal,
} satisfies Description
const loadOptions = {
  ...loadOptionsInCommon,
  adapters: sources,
  projector: value => value as ModelSource,
  cache: [cache, false],
  keep: [boolean, false],
  keepBytes: integer(1),
  shared: [boolean, false],
  integrity,
  onProgress: callback as Reader<(progress: LoadProgress) => void>,
} satisfies Description

const generateAttention = {
  ...attentionSelection,
  of: oneOf('decoder', 'cross'),
} satisfies Description

const contextShift = {
  keep: [count(0), required],
} satisfies Description

const generateOptionsInCommon = {
  temperature: [number('of at least 0', value => value >= 0), 0.8],
  topK: [count(0), 40],
  topP: [number('above 0 and at most 1', value => value > 0 && value <= 1), 0.95],
  minP: [number('of at least 0 and below 1', value => value >= 0 && value < 1), 0.05],
  repetitionPenalty: [number('above 0', value => value > 0), 1],
  frequencyPenalty: [anyNumber, 0],
  presencePenalty: [anyNumber, 0],
  penaltyWindow: [count(0), 64],
  logitBias,
  seed: integer(0),
  stop,
  signal,
  onProgress: callback as Reader<(progress: PromptProgress) => void>,
  onUnmasked: callback as Reader<(step: UnmaskedStep) => void>,
  topLogprobs: [count(0), 0],
  attention: recorded(generateAttention),
  speculate: [speculate, true],
  contextShift: kept(contextShift),
  choiceProbabilities: [boolean, false],
  constraint,
} satisfies Description
const generateOptions = {
  ...tokenizeOptions,
  ...constraintOptions,
  ...changeOptions,
  ...generateOptionsInCommon,
  maxTokens: [tokenLimit, 256],
  stopAtEnd: [boolean, true],
  special: [boolean, false],
} satisfies Description

const reasoningBudget = {
  maxTokens: [count(0), required],
  message: text,
} satisfies Description

/** The options of every call, by the name of the call. */
export const calls = {
  loadModel: loadOptions,
  list: storeOptions,
  clear: storeOptions,
  clearKept: storeOptions,
  estimate: storeOptions,
  has: hubStoreOptions,
  delete: hubStoreOptions,
  download: {
    ...hubStoreOptions,
    integrity,
    stallTimeout: count(1),
    signal,
    onProgress: callback as Reader<(progress: LoadProgress) => void>,
    cache: oneOf('reload'),
  },
  fits: {
    ...loadOptionsInCommon,
  },
  import: {
    ...storeOptions,
    name: text,
    signal,
    onProgress: callback as Reader<(progress: LoadProgress) => void>,
  },
  prune: {
    ...storeOptions,
    keepBytes: [integer(0), required],
  },
  generate: {
    ...generateOptions,
    addSpecial: boolean,
  },
  chat: {
    ...constraintOptions,
    ...changeOptions,
    ...generateOptionsInCommon,
    maxTokens: [tokenLimit, mostIndex],
    tools: [readTools, []],
    toolChoice: [toolChoice, 'auto'],
    parallelToolCalls: [boolean, true],
    maxSteps: [count(1), 8],
    signal,
    think: thinking(reasoningBudget),
    trim: [boolean, false],
    continueFinal: [boolean, false],
    template,
    variables,
    now,
    onToken: callback as Reader<(token: Token) => void>,
  },
  compile: {
    ...constraintOptions,
    signal,
  },
  append: {
    ...tokenizeOptions,
    ...changeOptions,
    onProgress: callback as Reader<(progress: PromptProgress) => void>,
    signal,
    addSpecial: boolean,
  },
  tokenize: tokenizeOptions,
  imageTokens: {
    maxImageTokens: count(1),
  },
  detokenize: {
    special: [boolean, false],
    tidySpaces: [boolean, false],
    bytes: [boolean, false],
  },
  metadata: {
    file: [oneOf('model', 'projector'), 'model'],
    signal,
  },
  logits: {
    ...tokenizeOptions,
    ...changeOptions,
    positions: placesOrAll,
    source: prompt,
    signal,
  },
  attention: {
    ...attentionSelection,
    ...tokenizeOptions,
    ...changeOptions,
    of: oneOf('decoder', 'encoder', 'cross'),
    source: prompt,
    signal,
  },
  attentionParts: {
    ...tokenizeOptions,
    ...changeOptions,
    layer: [count(0), required],
    head: [count(0), required],
    query: integer(-mostIndex, mostIndex),
    of: oneOf('decoder', 'encoder', 'cross'),
    source: prompt,
    signal,
  },
  valueNorms: {
    ...attentionSelection,
    ...tokenizeOptions,
    ...changeOptions,
    of: oneOf('decoder', 'encoder'),
    source: prompt,
    signal,
  },
  gates: {
    ...tokenizeOptions,
    layers: [indices, []],
    signal,
  },
  trace: {
    ...readOptions,
    points: [pointNames, required],
    positions: somePlaces,
    source: prompt,
  },
  hidden: {
    ...readOptions,
    layers: [stateLayers, []],
    positions: places,
  },
  lens: {
    ...readOptions,
    layers: [stateLayers, []],
    positions: placesOrAll,
    top: [count(0), 5],
    tokens: [tokenNames, []],
  },
  attribute: {
    ...readOptions,
    token: tokenName,
    against: tokenName,
    position: integer(-mostIndex, mostIndex),
  },
  direction: {
    ...readOptions,
    layer: [integer(-1, mostIndex), required],
  },
  score: {
    ...readOptions,
    by: [oneOf('sum', 'mean'), 'sum'],
  },
  findHeads: {
    ...changeOptions,
    length: count(2),
    sequences: [integer(1, 65536), 4],
    seed: [integer(0), 0],
    signal,
  },
  loadAdapter: adapterOptions,
  controlVector: {
    ...adapterOptions,
    scale: [anyNumber, 1],
    layers: firstAndLast,
  },
  embed: {
    ...embedImagesOptions,
    ...tokenizeOptions,
    dimensions: count(1),
    truncate: [boolean, false],
    onProgress: callback as Reader<(progress: EmbedProgress) => void>,
  },
  rerank: {
    signal,
  },
  embedImages: embedImagesOptions,
  classify: {
    top: [count(1), 5],
    prompt: text,
    calibrate: [boolean, false],
    signal,
  },
  imageAttention: {
    ...attentionSelection,
    signal,
  },
  transcribe: {
    language: [text, 'auto'],
    task: [oneOf('transcribe', 'translate'), 'transcribe'],
    words: [boolean, false],
    attention: recorded(attentionSelection),
    timestamps: [boolean, true],
    prompt: text,
    suppressNonSpeech: [boolean, false],
    temperature: temperatures,
    seed: [integer(0), 0],
    onProgress: callback as Reader<(progress: TranscribeProgress) => void>,
    onInterim: callback as Reader<(segments: TranscriptSegment[]) => void>,
    onSamples: callback as Reader<(samples: Float32Array) => void>,
    signal,
  },
  decodeImage: {
    signal,
  },
} satisfies Record<string, Description>
