// What callers of heed/chat write and read.
import type { CallFamily } from './formats/index.js'

export type { CallFamily }

/** JSON, as it is parsed. A bigint is an integer too large for a number. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * A part of a content; templates of text models know `{ type: 'text', text }`. A template that prints such a list, or fails at
 * it, gets the texts joined; a few that know texts only leave it out, as transformers does with them: give those a text.
 */
export interface ContentPart { readonly type: string, readonly text?: string, readonly [key: string]: Json | undefined }

/**
 * A call in an earlier turn, in OpenAI's shape. `arguments`: an object, or the JSON text of one. Give the object where there is
 * one: most templates write JSON of what they get, so that a text is quoted once more; one that wants the text gets it.
 */
export interface MessageToolCall {
  readonly id?: string
  readonly type?: string
  readonly function: { readonly name: string, readonly arguments?: Json }
  readonly [key: string]: Json | undefined
}

/** A turn of a conversation. Roles are `system`, `developer`, `user`, `assistant`, `tool`, and what else a template knows. */
export interface ChatMessage {
  readonly role: string
  readonly content?: string | readonly ContentPart[] | null
  /** What the model thought before this content; templates show it again or not, as they were written. */
  readonly reasoning_content?: string
  readonly tool_calls?: readonly MessageToolCall[]
  readonly tool_call_id?: string
  readonly name?: string
  readonly [key: string]: unknown
}

/** A tool in OpenAI's shape; `parameters` is a JSON schema. */
export interface ChatTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters?: Json
    readonly [key: string]: unknown
  }
  readonly [key: string]: unknown
}

/**
 * A part of a prompt. Control tokens are looked for in `control`, the template's own text, and nowhere else; the texts of all
 * parts, joined, are the prompt.
 */
export type PromptPart = string | { readonly control: string }

export interface TemplateOptions {
  /** The text of the token that begins a prompt, for templates that write it. */
  bosToken?: string | null
  /** The text of the token that ends a turn, for templates that write it. */
  eosToken?: string | null
}

/** Options of `render`. What is none of these is a variable of the template's, such as `reasoning_effort`. */
export interface RenderOptions {
  tools?: readonly ChatTool[]
  documents?: readonly Json[]
  /** Whether the prompt ends where the model's turn begins. Default: true, without `continueFinal`. */
  addGenerationPrompt?: boolean
  /** The prompt ends inside the last message, the model's, which it is to go on with. Default: false. */
  continueFinal?: boolean
  /** Whether the model is to reason before it answers. Unset, it does what its template does then, which may be either. */
  think?: boolean
  /** What time it is for templates that tell the date: a Date, or an ISO date, local without a zone. Default: now. */
  now?: Date | string
  /** False gives the messages to the template as they are, whatever becomes of them. Default: true. */
  adapt?: boolean
  readonly [variable: string]: unknown
}

/** A call that a model has written to its end. */
export interface ToolCall {
  /** As the model wrote it; few families write one. */
  id?: string
  name: string
  /** Undefined where the model wrote something that is none; `error` then tells what. */
  arguments: Record<string, unknown> | undefined
  /** The arguments as they were written; JSON for most families. */
  text: string
  error?: string
}

export interface ParsedReply {
  content: string
  reasoning: string
  toolCalls: ToolCall[]
  /** Whether the text ends inside a call; that call is not in `toolCalls`. */
  incomplete: boolean
}

/** What a parser reports as a reply arrives. `index` is the call's place among the calls of the reply. */
export type ReplyEvent =
  | { type: 'text', delta: string }
  | { type: 'reasoning', delta: string }
  | { type: 'tool-call-start', index: number, name: string, id?: string }
  /** More of the arguments' text. */
  | { type: 'tool-call-delta', index: number, delta: string }
  | { type: 'tool-call', index: number, call: ToolCall }

/** What a template and its model can do. Found by rendering small conversations, and in the template's text. */
export interface ChatInfo {
  /** How calls of tools are written. */
  readonly calls: CallFamily
  /** Texts that end the model's turn or its call; most are control tokens. */
  readonly stops: readonly string[]
  readonly supports: {
    readonly system: boolean
    readonly tools: boolean
    /** Several calls in one turn. */
    readonly parallelCalls: boolean
    /** Results of tools, in messages of the role `tool`. */
    readonly toolResponses: boolean
    /** Whether the template knows of reasoning. */
    readonly reasoning: boolean
    /** Whether `think` changes the prompt. */
    readonly think: boolean
    /** Contents as lists of parts. */
    readonly parts: boolean
  }
}

export interface ParseOptions {
  /** What the model was given: families that write arguments without types need it, and those without a marker for calls. */
  tools?: readonly ChatTool[]
  /** What the prompt ends with, from where the model's turn begins; it may have opened or closed the reasoning. */
  generationPrompt?: string
}
