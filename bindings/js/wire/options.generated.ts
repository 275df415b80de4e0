// Written by tools/contract from api/: options in the messages to the engine's worker.
import type { KvCache } from '../types/loading.js'
import type { Pooling } from '../types/results.js'
import type { AttentionOf } from '../types/text.js'
import type { Selection, TokenName, WirePrompt } from './text.js'

/** Of `GenerateOptions`. */
export interface GenerateParameters {
  addSpecial: boolean
  parseSpecial: boolean
  maxTokens?: number
  temperature?: number
  topK?: number
  topP?: number
  minP?: number
  repetitionPenalty?: number
  frequencyPenalty?: number
  presencePenalty?: number
  penaltyWindow?: number
  logitBias?: [number, number][]
  seed: number
  stop?: (string | number)[]
  stopAtEnd?: boolean
  special?: boolean
  topLogprobs?: number
  attention?: Selection & { of?: 'decoder' | 'cross' }
  speculate: boolean
  contextShift?: number
}

/** Of `LoadOptions`. */
export interface LoadParameters {
  threads: number
  contextLength?: number
  kvCache?: KvCache
  memoryLimit?: number
  parallel?: number
  prefixCache?: number
  draft?: 'auto' | 'heads' | 'off'
}

/** Of `EmbedOptions`. */
export interface EmbeddingForm {
  pooling?: Pooling
  normalize?: boolean
  dimensions?: number
}

/** Of `TranscribeOptions`. */
export interface TranscribeParameters {
  language: string
  task?: 'transcribe' | 'translate'
  words?: boolean
  attention?: Selection
  timestamps?: boolean
  prompt?: string
  suppressNonSpeech?: boolean
  temperature?: number[]
  seed?: number
}

/** Of `DetokenizeOptions`. */
export interface DetokenizeParameters {
  special: boolean
  tidySpaces: boolean
  bytes: boolean
}

/** Of `ImageBound`. */
export interface ImageParameters {
  maxImageTokens?: number
}

/** Of `LogitsOptions`. */
export interface LogitsParameters {
  positions?: number[] | 'all'
  source?: WirePrompt
}

/** Of `AttentionPartsOptions`. */
export interface AttentionPartsParameters {
  layer: number
  head: number
  query?: number
  of?: AttentionOf
  source?: WirePrompt
}

/** Of `ValueNormsOptions`. */
export interface ValueNormsParameters {
  layers: number[]
  heads: number[]
  of?: 'decoder' | 'encoder'
  source?: WirePrompt
}

/** Of `GatesOptions`. */
export interface GatesParameters {
  layers: number[]
}

/** Of `HiddenOptions`. */
export interface HiddenParameters {
  layers: number[]
  positions?: number[]
}

/** Of `LensOptions`. */
export interface LensParameters {
  layers: number[]
  positions?: number[] | 'all'
  top: number
  tokens: TokenName[]
}

/** Of `AttributeOptions`. */
export interface AttributeParameters {
  token?: TokenName
  against?: TokenName
  position?: number
}

/** How the texts of a schema are written: SchemaOptions in src/grammar/schema/options.hpp. */
export interface SchemaOptions {
  readonly whitespace?: 'any' | 'compact' | { readonly indent: number }
  readonly maxWhitespace?: number
  readonly order?: 'schema' | 'any'
  readonly formats?: 'known' | 'strict' | 'annotate'
  readonly escapes?: 'any' | 'canonical'
  readonly closed?: boolean
  readonly schemas?: Readonly<Record<string, string>>
}
