// Checks the options of a session as the specification requires, and converts them to settings.
import type { ChatMessage, ChatTool } from '../../chat/types.js'
import type { Tool } from '../../page/chat/messages.js'
import { converted } from '../../page/chat/parameters.js'
import { exception, translated } from '../browser-ai/exceptions.js'
import { isKnown, tagsOf } from '../browser-ai/languages.js'
import { isObject, sequence, word } from '../browser-ai/web-idl.js'
import { canonical, type Medium, media, toMessages, types } from './input.js'
import { standard } from '../browser-ai/offered.generated.js'
import type {
  LanguageModelCreateCoreOptions,
  LanguageModelCreateOptions,
  LanguageModelParams,
  LanguageModelSamplingMode,
} from './types.js'

/** The temperature and top k of each mode. */
const modes: Record<LanguageModelSamplingMode, readonly [number, number]> = {
  'most-predictable': [0, 1],
  predictable: [0.3, 10],
  'slightly-predictable': [0.5, 20],
  balanced: [standard.temperature, standard.topK],
  'slightly-creative': [0.9, 60],
  creative: [1, 80],
  'most-creative': [1.3, 128],
}

export const params: LanguageModelParams = Object.freeze({
  defaultTopK: modes.balanced[1],
  maxTopK: 128,
  defaultTemperature: modes.balanced[0],
  maxTemperature: 2,
})

/** How tokens are sampled. */
export interface Sampling {
  readonly temperature: number
  readonly topK: number
  readonly samplingMode: LanguageModelSamplingMode | null
}

export interface Settings {
  readonly sampling: Sampling
  readonly tools: readonly Tool[]
  /** The tools in the format for templates. */
  readonly told: readonly ChatTool[] | undefined
  readonly initial: readonly ChatMessage[]
  /** The types of input besides text that the session was created for. */
  readonly expects: readonly Medium[]
}

/** Throws a TypeError, a RangeError or a NotSupportedError for invalid options. */
function sampling({ temperature, topK, samplingMode }: LanguageModelCreateCoreOptions): Sampling {
  if (temperature === undefined && topK === undefined) {
    const mode =
      samplingMode === undefined
        ? 'balanced'
        : word('samplingMode', samplingMode, Object.keys(modes) as LanguageModelSamplingMode[])
    return { temperature: modes[mode][0], topK: modes[mode][1], samplingMode: mode }
  }
  if (samplingMode !== undefined) throw new TypeError('samplingMode: cannot be used with temperature and topK')
  if (temperature === undefined || topK === undefined) {
    throw exception('NotSupportedError', 'temperature and topK: give both or neither')
  }
  if (!(temperature >= 0)) throw new RangeError('temperature: expected a number of at least 0')
  if (!(topK >= 1)) throw new RangeError('topK: expected a number of at least 1')
  return {
    temperature: Math.min(temperature, params.maxTemperature),
    topK: Math.floor(Math.min(topK, params.maxTopK)),
    samplingMode: null,
  }
}

/**
 * Whether all expected inputs have one of these types and a supported language. Throws for unknown types and invalid language tags.
 */
function expectedIsKnown(expected: unknown, known: readonly string[], languages: readonly string[] | undefined): boolean {
  return sequence('expected', expected, item => {
    if (!isObject(item)) throw new TypeError('expected: expected an object')
    const type = word('type', item.type, types)
    const tags = tagsOf('languages', item.languages)
    return known.includes(type) && tags.every(tag => isKnown(tag, languages))
  }).every(Boolean)
}

/** Whether the expected types and languages are supported. Throws as `expectedIsKnown` does. */
export function isSupported(
  options: LanguageModelCreateCoreOptions,
  accepts: readonly Medium[],
  languages?: readonly string[],
): boolean {
  const inputs = expectedIsKnown(options.expectedInputs ?? [], ['text', ...accepts], languages)
  return expectedIsKnown(options.expectedOutputs ?? [], ['text'], languages) && inputs
}

const expectedMedia = ({ expectedInputs = [] }: LanguageModelCreateCoreOptions) =>
  media.filter(medium => Array.from(expectedInputs).some(({ type }) => type === medium))

/** Whether a session can be created with these sampling options. */
export function hasSampling(options: LanguageModelCreateCoreOptions): boolean {
  try {
    return Boolean(sampling(options))
  } catch {
    return false
  }
}

function schemaOf(given: unknown, what: string): unknown {
  try {
    return converted(given, what)
  } catch (error) {
    throw translated(error, 'OperationError')
  }
}

function tool(given: unknown): Tool {
  if (!isObject(given)) throw new TypeError('tools: expected an object')
  const { name, description, inputSchema, execute } = given
  if (typeof name !== 'string' || name === '') throw new TypeError('tools: expected a name')
  if (typeof description !== 'string' || description === '') throw new TypeError(`tools: ${name}: expected a description`)
  if (typeof execute !== 'function') throw new TypeError(`tools: ${name}: execute: expected a function`)
  const schema = schemaOf(inputSchema, `tools: ${name}: inputSchema`)
  const parameters = isObject(schema) && JSON.parse(JSON.stringify(schema))
  const { type, properties = {}, required = [] } = parameters || {}
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required)) {
    throw new TypeError(`tools: ${name}: inputSchema: expected a JSON schema of type object`)
  }
  return { type: 'function', function: { name, description, parameters }, execute: args => execute.call(given, args) }
}

export function readSettings(options: LanguageModelCreateOptions): Settings {
  const tools = options.tools === undefined ? [] : sequence('tools', options.tools, tool)
  const told = tools.map(({ execute: _, ...rest }) => rest as ChatTool)
  if (new Set(told.map(({ function: { name } }) => name)).size < told.length) {
    throw new TypeError('tools: two have the same name')
  }
  const initial = options.initialPrompts === undefined ? [] : toMessages(options.initialPrompts)
  const expects = expectedMedia(options)
  return {
    sampling: sampling(options),
    tools,
    told: told.length > 0 ? told : undefined,
    initial: initial.length > 0 ? canonical(initial, { goesOn: false, expects }).messages : [],
    expects,
  }
}
