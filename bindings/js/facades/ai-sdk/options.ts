// Converts options of the AI SDK's calls to those of a chat; unsupported ones become warnings.
import type {
  JSONValue,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { ChatMessage, ChatTool } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.js'
import { seedOf } from '../../page/seed.js'
import type { SchemaOptions } from '../../wire/options.js'
import { invalidArgument } from './errors.js'
import { toMessages } from './prompt.js'

/** `providerOptions.heed` of language models: options of `Model.chat` that the AI SDK does not have. */
export type HeedLanguageModelOptions = {
  /** Whether to reason before the answer. Default: the template's own. */
  think?: boolean
  /** A template to use in place of the model's own: the name of another template in the file, or Jinja, as for `Model.chat`. */
  template?: string | { jinja: string }
  /** Additional variables of the template. */
  variables?: Record<string, JSONValue>
  /** The current time, for templates that state the date. */
  now?: string
  /** Whether the model continues the last message, which must be the assistant's. */
  continueFinal?: boolean
  /** Whether a reply may have several calls, as for `Model.chat`. */
  parallelToolCalls?: boolean
  minP?: number
  repetitionPenalty?: number
  penaltyWindow?: number
  logitBias?: Record<string, number>
  speculate?: 'auto' | 'off'
  contextShift?: { keep: number }
  /** Whether to leave out the oldest turns if the conversation does not fit into the context. */
  trim?: boolean
  /** Number of alternatives per token to report in `providerMetadata.heed.logprobs`. */
  topLogprobs?: number
} & Omit<SchemaOptions, 'schemas'>

const names: Record<keyof HeedLanguageModelOptions, true> = {
  think: true,
  template: true,
  variables: true,
  now: true,
  continueFinal: true,
  parallelToolCalls: true,
  minP: true,
  repetitionPenalty: true,
  penaltyWindow: true,
  logitBias: true,
  speculate: true,
  contextShift: true,
  trim: true,
  topLogprobs: true,
  whitespace: true,
  maxWhitespace: true,
  order: true,
  formats: true,
  escapes: true,
  closed: true,
}

/** The provider's own options. Throws an InvalidArgumentError for unknown ones. */
export function ownOptions<Options extends object>(
  known: Record<keyof Options, true>,
  given: SharedV4ProviderOptions | undefined,
): Options {
  const own = given?.heed ?? {}
  for (const name of Object.keys(own)) {
    if (!Object.hasOwn(known, name)) {
      throw invalidArgument(`providerOptions.heed.${name}`, `unknown option; known: ${Object.keys(known).join(', ') || 'none'}`)
    }
  }
  return own as Options
}

export interface Call {
  readonly messages: ChatMessage[]
  readonly options: ChatOptions
  readonly warnings: SharedV4Warning[]
  /** How much to reason, if the call specifies it. */
  readonly effort?: string
}

export const unsupportedWarning = (feature: string, details?: string): SharedV4Warning => ({
  type: 'unsupported',
  feature,
  details,
})

/** Converts a call, as far as this is possible without the model. Throws the AI SDK's errors. */
export function readCall(call: LanguageModelV4CallOptions): Call {
  const warnings: SharedV4Warning[] = []
  const warn = (warning: SharedV4Warning) => void warnings.push(warning)
  const own = ownOptions<HeedLanguageModelOptions>(names, call.providerOptions)
  const messages = toMessages(call.prompt, warn)
  const { toolChoice = { type: 'auto' }, responseFormat, reasoning = 'provider-default' } = call
  const tools = toTools(call.tools, warn).filter(
    ({ function: { name } }) => toolChoice.type !== 'tool' || name === toolChoice.toolName,
  )
  const isJson = responseFormat?.type === 'json'
  const effort = own.think === undefined && reasoning !== 'provider-default' ? reasoning : undefined
  return {
    messages,
    warnings,
    effort,
    options: {
      maxTokens: call.maxOutputTokens,
      temperature: call.temperature,
      topP: call.topP,
      topK: call.topK,
      presencePenalty: call.presencePenalty,
      frequencyPenalty: call.frequencyPenalty,
      stop: call.stopSequences,
      seed: call.seed === undefined ? undefined : seedOf(call.seed),
      ...(isJson && { jsonSchema: (responseFormat.schema as ChatOptions['jsonSchema']) ?? true }),
      tools,
      toolChoice: toolChoice.type === 'tool' ? { name: toolChoice.toolName } : toolChoice.type,
      ...(effort && { think: effort !== 'none' }),
      ...own,
    },
  }
}

function toTools(tools: LanguageModelV4CallOptions['tools'] = [], warn: (warning: SharedV4Warning) => void): ChatTool[] {
  return tools.flatMap(tool => {
    if (tool.type === 'function') return [toTool(tool, warn)]
    warn(unsupportedWarning(`provider-defined tool: ${tool.id}`))
    return []
  })
}

function toTool(tool: LanguageModelV4FunctionTool, warn: (warning: SharedV4Warning) => void): ChatTool {
  const { name, description, inputSchema, strict } = tool
  if (tool.inputExamples?.length) warn(unsupportedWarning(`inputExamples of tool: ${name}`, 'Use addToolInputExamplesMiddleware.'))
  const { $schema: _, ...parameters } = inputSchema // means nothing to a model
  return {
    type: 'function',
    function: { name, description, parameters: parameters as never, ...(strict !== undefined && { strict }) },
  }
}
