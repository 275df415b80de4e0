// The types of a chat with a model: options, events and results.
import type { ChatMessage, ChatTool, ContentPart } from '../../chat/types.js'
import type { GenerateOptions, GenerateResult, Prompt, Token } from '../../types/index.js'
import type { WebAbortSignal } from '../../types/web.js'
import type { Generation } from '../generation.js'

/** The second argument of a tool's `execute`. */
export interface ToolRun {
  /** The id of the call. */
  readonly id: string
  /** Aborted when the chat is aborted. */
  readonly signal: WebAbortSignal
}

/**
 * A tool, in OpenAI's format or without its wrapper. A tool with `execute` runs when the model calls it, and the model continues
 * with the result: a string, or a value that is serialized as JSON. If it throws, the model gets the error.
 *
 * @example
 * const clock: Tool = { name: 'time', description: 'Tells the time.', execute: () => new Date().toISOString() }
 */
export type Tool = (ChatTool | {
  readonly name: string
  readonly description?: string
  /** A JSON schema of its arguments. */
  readonly parameters?: object
}) & { readonly execute?: (args: Record<string, unknown>, run: ToolRun) => unknown }

export interface ChatOptions extends Omit<GenerateOptions, 'addSpecial' | 'parseSpecial' | 'special' | 'stopAtEnd'> {
  tools?: readonly Tool[]
  /** `none` hides the tools from the model. Default: `auto`, the model may call them. */
  toolChoice?: 'auto' | 'none'
  /** Maximum number of generations, with tools run in between. Default: 8. */
  maxSteps?: number
  /** Whether to reason before the answer. Default: the template's own. A template without reasoning ignores it. */
  think?: boolean
  /** Whether the model continues the last message, which must be its own. Default: false. */
  continueFinal?: boolean
  /** A template to use in place of the model's own: Jinja, or the name of another template in the file. */
  template?: string
  /** Additional variables of the template. */
  variables?: Readonly<Record<string, unknown>>
  /** The current time, for templates that state the date. Default: now. */
  now?: Date | string
  /** Called with each token as it is generated, including markup. */
  onToken?: (token: Token) => void
}

/** A tool call, in the same form for all families. */
export interface ChatToolCall {
  readonly id: string
  readonly name: string
  /** Undefined if the arguments cannot be parsed; `error` then says why. */
  readonly arguments: Record<string, unknown> | undefined
  /** The arguments as the model wrote them. */
  readonly text: string
  readonly error?: string
}

export type ChatEvent =
  /** `tokens` are the tokens of the delta. */
  | { readonly type: 'text', readonly delta: string, readonly tokens: readonly Token[] }
  | { readonly type: 'reasoning', readonly delta: string, readonly tokens: readonly Token[] }
  | { readonly type: 'tool-call-start', readonly id: string, readonly name: string }
  /** More text of the arguments. */
  | { readonly type: 'tool-call-delta', readonly id: string, readonly delta: string }
  | { readonly type: 'tool-call' } & ChatToolCall
  | { readonly type: 'tool-result', readonly id: string, readonly name: string, readonly content: string, readonly isError: boolean }
  /** One generation is complete. */
  | { readonly type: 'step', readonly step: ChatStep }

/**
 * - `tool-calls`: there are calls that have not been run
 * - the others: as for `generate`
 */
export type ChatFinishReason = GenerateResult['finishReason'] | 'tool-calls'

export interface ChatUsage {
  readonly promptTokens: number
  /** How many of them were cached. */
  readonly reusedTokens: number
  readonly generatedTokens: number
}

/** One generation of a chat. */
export interface ChatStep {
  /** The prompt; `promptIds` are its tokens. */
  readonly prompt: Prompt
  readonly promptIds: readonly number[]
  readonly message: ChatMessage
  readonly toolCalls: readonly ChatToolCall[]
  /** Whether the text ends inside a call, which is then not in `toolCalls`. */
  readonly incomplete: boolean
  readonly finishReason: ChatFinishReason
  readonly generation: GenerateResult
}

export interface ChatResult {
  /** The model's answer: the last message. */
  readonly message: ChatMessage
  /** The messages added to the conversation: the model's turns and tool results. */
  readonly messages: readonly ChatMessage[]
  readonly text: string
  readonly reasoning: string
  /** The calls of the last step. */
  readonly toolCalls: readonly ChatToolCall[]
  /** Whether the text ends inside a call, which is then not in `toolCalls`. */
  readonly incomplete: boolean
  readonly finishReason: ChatFinishReason
  readonly usage: ChatUsage
  readonly steps: readonly ChatStep[]
  /** The seed that was used. */
  readonly seed: number
}

/** @internal A model or a session, as a chat uses it. */
export interface ChatWriter {
  readonly templates: Readonly<Record<string, string>>
  readonly bosToken?: { readonly id: number, readonly text: string }
  readonly eosToken?: { readonly text: string }
  /** Without `special`, no tokens are added around the text. */
  tokenize(prompt: Prompt, special: boolean): Promise<number[]>
  /** The generation is wrapped in an object, because awaiting a generation itself waits for its end. */
  write(ids: number[], options: GenerateOptions): Promise<{ generation: Generation }>
}

export type { ChatMessage, ChatTool, ContentPart }
