// Converts options of the AI SDK's calls to those of a chat; unsupported ones become warnings.
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { ChatMessage, ChatTool } from '../../chat/types.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import { seedOf } from '../../page/seed.js'
import { invalidArgument } from './errors.js'
import { type HeedLanguageModelOptions, ownNames, settings } from './offered.generated.js'
import { toMessages } from './prompt.js'

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

/** Converts a call as far as possible without the model. Throws the AI SDK's errors. */
export function readCall(call: LanguageModelV4CallOptions): Call {
  const warnings: SharedV4Warning[] = []
  const warn = (warning: SharedV4Warning) => void warnings.push(warning)
  const own = ownOptions<HeedLanguageModelOptions>(ownNames, call.providerOptions)
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
      ...Object.fromEntries(Object.entries(settings).map(([option, setting]) => [option, call[setting]])),
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
  const { $schema: _, ...parameters } = inputSchema // has no meaning for a model
  return {
    type: 'function',
    function: { name, description, parameters: parameters as never, ...(strict !== undefined && { strict }) },
  }
}
