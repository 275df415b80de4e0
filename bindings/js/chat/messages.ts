// What goes into a chat with a model, and what comes out of it.
import type { Generation } from '../generation.js'
import type { GenerateOptions, GenerateResult, Prompt, Token } from '../types.js'
import type { WebAbortSignal } from '../web-types.js'
import type { ChatMessage, ChatTool, ContentPart } from './types.js'

/** What is told to a tool that runs. */
export interface ToolRun {
  /** Of the call. */
  readonly id: string
  /** Aborted where the chat is. */
  readonly signal: WebAbortSignal
}

/**
 * A tool, in OpenAI's shape or without the wrapping. One with `execute` runs when the model calls it, and the model goes on with
 * what it returns: a text, or what becomes JSON. Where it throws, the model is told so.
 */
export type Tool = (ChatTool | {
  readonly name: string
  readonly description?: string
  /** A JSON schema of its arguments. */
  readonly parameters?: object
}) & { readonly execute?: (args: Record<string, unknown>, run: ToolRun) => unknown }

export interface ChatOptions extends Omit<GenerateOptions, 'addSpecial' | 'parseSpecial' | 'special' | 'stopAtEnd'> {
  tools?: readonly Tool[]
  /** `none`: the model is not told of the tools. Default: `auto`, it may call them. */
  toolChoice?: 'auto' | 'none'
  /** How often the model may write, with runs of tools in between. Default: 8. */
  maxSteps?: number
  /** Whether to reason before the answer; unset, the template's own default. A template without reasoning ignores it. */
  think?: boolean
  /** The last message is the model's, which it goes on with. Default: false. */
  continueFinal?: boolean
  /** A template in the place of the model's own: Jinja, or the name of another that the file brings. */
  template?: string
  /** More variables of the template. */
  variables?: Readonly<Record<string, unknown>>
  /** What time it is, for templates that tell the date. Default: now. */
  now?: Date | string
  /** Called with each token as it is written, those of markup among them. */
  onToken?: (token: Token) => void
}

/** A call, in a form that is the same for all families. */
export interface ChatToolCall {
  readonly id: string
  readonly name: string
  /** Undefined where the model wrote none that can be read; `error` then tells why. */
  readonly arguments: Record<string, unknown> | undefined
  /** As the model wrote them. */
  readonly text: string
  readonly error?: string
}

export type ChatEvent =
  /** `tokens`: those that it was written as. */
  | { readonly type: 'text', readonly delta: string, readonly tokens: readonly Token[] }
  | { readonly type: 'reasoning', readonly delta: string, readonly tokens: readonly Token[] }
  | { readonly type: 'tool-call-start', readonly id: string, readonly name: string }
  /** More of the text of its arguments. */
  | { readonly type: 'tool-call-delta', readonly id: string, readonly delta: string }
  | { readonly type: 'tool-call' } & ChatToolCall
  | { readonly type: 'tool-result', readonly id: string, readonly name: string, readonly content: string, readonly isError: boolean }
  /** The model has written once. */
  | { readonly type: 'step', readonly step: ChatStep }

/** - `tool-calls`: there are calls that nobody has run
 *  - the others: as of `generate` */
export type ChatFinishReason = GenerateResult['finishReason'] | 'tool-calls'

export interface ChatUsage {
  readonly promptTokens: number
  /** Of those, what had been read before. */
  readonly reusedTokens: number
  readonly generatedTokens: number
}

/** One time that the model wrote. */
export interface ChatStep {
  /** The prompt, and the tokens that it is. */
  readonly prompt: Prompt
  readonly promptIds: readonly number[]
  readonly message: ChatMessage
  readonly toolCalls: readonly ChatToolCall[]
  /** Whether the text ends inside a call, which is then not among `toolCalls`. */
  readonly incomplete: boolean
  readonly finishReason: ChatFinishReason
  readonly generation: GenerateResult
}

export interface ChatResult {
  /** What the model answered: the last message. */
  readonly message: ChatMessage
  /** All that came to the conversation: the model's turns, and results of tools. */
  readonly messages: readonly ChatMessage[]
  readonly text: string
  readonly reasoning: string
  /** Of the last step. */
  readonly toolCalls: readonly ChatToolCall[]
  /** Whether the text ends inside a call, which is then not among `toolCalls`. */
  readonly incomplete: boolean
  readonly finishReason: ChatFinishReason
  readonly usage: ChatUsage
  readonly steps: readonly ChatStep[]
  /** The seed that was used. */
  readonly seed: number
}

/** @internal What writes: a model, or a session. */
export interface ChatWriter {
  readonly templates: Readonly<Record<string, string>>
  readonly bosToken?: { readonly id: number, readonly text: string }
  readonly eosToken?: { readonly text: string }
  /** Without `special`, no tokens around the text. */
  tokenize(prompt: Prompt, special: boolean): Promise<number[]>
  /** Wrapped, since a promise of a generation would wait for its end. */
  write(ids: number[], options: GenerateOptions): Promise<{ generation: Generation }>
}

export type { ChatMessage, ChatTool, ContentPart }
