// The types of a chat with a model: tools, events and results.
import type { ChatMessage, ChatTool, ContentPart } from '../../chat/types.js'
import type { GenerateResult, Prompt, Token } from '../../types/index.js'
import type { ArgumentsOf } from '../../types/schema.js'
import type { WebAbortSignal } from '../../types/web.js'

/** The second argument of a tool's `execute`. */
export interface ToolRun {
  /** The id of the call. */
  readonly id: string
  /** The arguments as the model wrote them, as JSON with all digits; `execute` gets them as `JSON.parse` reads them. */
  readonly text: string
  /** Aborted when the chat ends early: it is aborted, its loop is left, or the model or session is disposed of. */
  readonly signal: WebAbortSignal
}

/**
 * A tool, in OpenAI's format or without its wrapper. A tool with `execute` runs when the model calls it with arguments that match
 * `parameters`, and the model continues with the result: a string, or a value that is serialized as JSON. If it throws, the model
 * gets the error. It must not wait for the session whose chat runs it: before `execute` has returned, that fails; afterwards, it
 * waits until the chat is aborted.
 *
 * @example
 * const clock: Tool = { name: 'time', description: 'Tells the time.', execute: () => new Date().toISOString() }
 */
export type Tool<Parameters = object> = (
  | ChatTool
  | {
      readonly name: string
      readonly description?: string
      /** A JSON schema of its arguments, or a Standard Schema that converts to one (Zod 4.2 and others). */
      readonly parameters?: Parameters
      /**
       * Whether calls are constrained to the format and to `parameters` while they are generated; `function.strict` in OpenAI's
       * format. Default: false, they are checked afterwards. With `toolChoice: 'required'`, all calls are constrained.
       */
      readonly strict?: boolean
    }
) & { readonly execute?: { call(args: ArgumentsOf<Parameters>, run: ToolRun): unknown }['call'] } // a tool of any schema is a Tool

/** A tool call, in the same form for all families. */
export interface ChatToolCall {
  /** Unique in the conversation; the result is sent back with it, as `tool_call_id`. */
  readonly id: string
  /** The tool's name, as the model wrote it. */
  readonly name: string
  /**
   * The text as `JSON.parse` reads it, which rounds integers beyond 2^53. Undefined if it cannot be parsed, with the reason in
   * `error`.
   */
  readonly arguments: Record<string, unknown> | undefined
  /**
   * The arguments in JSON, with the model's own digits and order of keys; if they cannot be parsed, exactly as the model wrote
   * them.
   */
  readonly text: string
  readonly error?: string
}

/**
 * An event of a chat, in the order in which the model writes. A reply without tool calls gives `text` events and a `step`; one with
 * calls, for each of them, `tool-call-start`, `tool-call-delta`, `tool-call` and, if its tool has `execute`, `tool-result`.
 */
export type ChatEvent =
  /** The next part of the answer; `tokens` are the tokens of `delta`. */
  | { readonly type: 'text'; readonly delta: string; readonly tokens: readonly Token[] }
  /** The next part of the reasoning before the answer. */
  | { readonly type: 'reasoning'; readonly delta: string; readonly tokens: readonly Token[] }
  /** A call begins. */
  | { readonly type: 'tool-call-start'; readonly id: string; readonly name: string }
  /** The next part of the arguments. */
  | { readonly type: 'tool-call-delta'; readonly id: string; readonly delta: string }
  /** A call that is complete. */
  | ({ readonly type: 'tool-call' } & ChatToolCall)
  /** What a tool has returned, as the model gets it, or why it failed. */
  | {
      readonly type: 'tool-result'
      readonly id: string
      readonly name: string
      readonly content: string
      readonly isError: boolean
    }
  /** Something unexpected, such as a system message that the template leaves out. */
  | { readonly type: 'notice'; readonly message: string }
  /** One reply is complete, and the tools that it called have run. */
  | { readonly type: 'step'; readonly step: ChatStep }

/**
 * Why a chat has ended:
 *
 * - `tool-calls`: there are calls that have not been run
 * - `steps`: all calls have been run, but `maxSteps` generations have been made
 * - the others: as for `generate`
 */
export type ChatFinishReason = GenerateResult['finishReason'] | 'tool-calls' | 'steps'

/** The tokens that all replies of a chat took together. */
export interface ChatUsage {
  /** Tokens of the prompts. */
  readonly promptTokens: number
  /** How many tokens of the prompts were cached. */
  readonly reusedTokens: number
  /** Tokens that the model has written. */
  readonly generatedTokens: number
  /** How many of the generated tokens belong to the reasoning, without its markers. */
  readonly reasoningTokens: number
  /** Tokens generated per second, without the time for tools and for processing prompts; 0 if none were generated. */
  readonly tokensPerSecond: number
}

/** One generation of a chat. */
export interface ChatStep {
  /** The prompt, as the template renders it. */
  readonly prompt: Prompt
  /** The tokens of the prompt, with -1 for each token of an image. */
  readonly promptIds: readonly number[]
  /** Number of oldest turns that `trim` left out of the prompt. */
  readonly trimmedTurns: number
  /** The model's turn. */
  readonly message: ChatMessage
  /** All calls of this reply. */
  readonly toolCalls: readonly ChatToolCall[]
  /** Whether the text ends inside a call, which is then not in `toolCalls`. */
  readonly incomplete: boolean
  readonly finishReason: ChatFinishReason
  /** How many tokens of the reply belong to the reasoning, without its markers. */
  readonly reasoningTokens: number
  /** This reply as a generation: its tokens, timings and whole text. */
  readonly generation: GenerateResult
}

/** The result of a chat. */
export interface ChatResult<Parsed = unknown> {
  /** The model's answer: the last message. */
  readonly message: ChatMessage
  /** The messages added to the conversation: the model's turns and tool results. */
  readonly messages: readonly ChatMessage[]
  /** The text of the answer, without reasoning and calls. */
  readonly text: string
  /** The value of an answer with `jsonSchema`; undefined for other answers, and if the answer was cut off. */
  readonly parsed?: Parsed
  /** With `choiceProbabilities`: how probable each of `choices` is as the answer, after any reasoning; as in a `GenerateResult`. */
  readonly choiceProbabilities?: GenerateResult['choiceProbabilities']
  /** The reasoning before the answer; empty if there is none. */
  readonly reasoning: string
  /** The calls that have not been run: running them is up to the caller. All calls are in `steps`. */
  readonly toolCalls: readonly ChatToolCall[]
  /** Whether the text ends inside a call, which is then not in `toolCalls`. */
  readonly incomplete: boolean
  readonly finishReason: ChatFinishReason
  readonly usage: ChatUsage
  /** Number of oldest turns that `trim` left out of the last prompt. */
  readonly trimmedTurns: number
  /** The messages of all `notice` events. */
  readonly notices: readonly string[]
  /** The replies, in order: the first one, and one after each run of tools. */
  readonly steps: readonly ChatStep[]
  /** The seed that was used. */
  readonly seed: number
}

export type { ChatMessage, ChatTool, ContentPart }
