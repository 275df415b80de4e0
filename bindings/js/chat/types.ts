// The public types of heed/chat.

/** The formats of tool calls. */
export type CallFamily =
  | 'hermes'
  | 'qwen-xml'
  | 'llama3-json'
  | 'mistral-json'
  | 'mistral-args'
  | 'deepseek-r1'
  | 'deepseek-v31'
  | 'harmony'
  | 'lfm2'
  | 'gemma4'
  | 'functiongemma'
  | 'phi4-mini'
  | 'command-r7b'
  | 'minicpm5'
  | 'granite3'
  | 'glm'
  | 'kimi'
  | 'json'

/** Parsed JSON. A bigint is an integer too large for a number. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/**
 * A part of a message's content; templates of text models support `{ type: 'text', text }`. A template that would print such a
 * list or fails on it gets the joined texts; a few text-only templates omit the list, as with transformers: give those a string.
 * In a `chat`, a model that reads images (`info.acceptsImages`) takes `{ type: 'image', image, maxImageTokens }`, as in prompts
 * (`maxImageTokens` is optional); a model that hears (`info.acceptsAudio`) takes `{ type: 'audio', audio }`. The template gets a
 * text in their place.
 */
export interface ContentPart {
  readonly type: string
  readonly text?: string
  readonly [key: string]: unknown
}

/**
 * A tool call in an earlier turn, in OpenAI's format. `arguments` is an object or its JSON text; undefined, null and '' stand for
 * an empty object. In a chat both forms are equivalent, except that an object loses digits beyond 2^53, `1.0`, and the order of
 * keys such as "10". For `render`, prefer the object: most templates serialize it, and would quote a text again; a template that
 * needs the text gets it.
 */
export interface MessageToolCall {
  readonly id?: string
  readonly type?: string
  readonly function: { readonly name: string; readonly arguments?: Json }
  readonly [key: string]: Json | undefined
}

/**
 * A turn of a conversation. A template may support other roles and properties. A chat rejects roles that the template's text does
 * not name, and other spellings of properties; `render` passes all. In TypeScript, cast such a message (`as ChatMessage`), so that
 * a misspelled property remains an error.
 */
export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'model' | 'tool'
  readonly content?: string | readonly ContentPart[] | null
  /** The model's reasoning before this content; whether the prompt includes it depends on the template. */
  readonly reasoning_content?: string
  /** The calls of a turn of the model. */
  readonly tool_calls?: readonly MessageToolCall[]
  /** In a message with the role `tool`: the id of the call whose result it is. */
  readonly tool_call_id?: string
  /** In a message with the role `tool`: the tool's name, which many templates print. */
  readonly name?: string
}

/** A tool in OpenAI's format; `parameters` is a JSON schema. */
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
 * A part of a prompt. Control tokens are parsed only in `control`, the template's own text; the joined texts of all parts are the
 * prompt.
 */
export type PromptPart = string | { readonly control: string }

export interface TemplateOptions {
  /** The text of the token that begins a prompt, for templates that use it. */
  bosToken?: string | null
  /** The text of the token that ends a turn, for templates that use it. */
  eosToken?: string | null
}

/** Options of `render`. Any other property is a variable of the template, such as `reasoning_effort`. */
export interface RenderOptions {
  tools?: readonly ChatTool[]
  documents?: readonly Json[]
  /** Whether the prompt ends with the start of the model's turn. Default: true, without `continueFinal`. */
  addGenerationPrompt?: boolean
  /** Whether the prompt ends inside the last message, which is the model's, so that the model continues it. Default: false. */
  continueFinal?: boolean
  /** Whether the model reasons before it answers. Default: up to the template. */
  think?: boolean
  /** The current time, for templates that state the date: a Date or an ISO date, local time without a zone. Default: now. */
  now?: Date | string
  /** Whether to adapt messages that the template does not accept; false passes them unchanged. Default: true. */
  adapt?: boolean
  readonly [variable: string]: unknown
}

/** A complete tool call. */
export interface ToolCall {
  /** The id that the model wrote; few families write one. */
  id?: string
  name: string
  /**
   * The text as `JSON.parse` reads it, which rounds integers beyond 2^53. Undefined if it is invalid, with the reason in `error`.
   */
  arguments: Record<string, unknown> | undefined
  /** The arguments in JSON, with the model's own digits and order of keys; if they are invalid, exactly as the model wrote them. */
  text: string
  error?: string
}

export interface ParsedReply {
  content: string
  reasoning: string
  toolCalls: ToolCall[]
  /** Whether the text ends inside a call, which is then not in `toolCalls`. */
  incomplete: boolean
}

/** An event of a parser as a reply arrives. `index` is the position of the call among the calls of the reply. */
export type ReplyEvent =
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  | { type: 'tool-call-start'; index: number; name: string; id?: string }
  /** More text of the arguments. */
  | { type: 'tool-call-delta'; index: number; delta: string }
  | { type: 'tool-call'; index: number; call: ToolCall }

/** The capabilities of a template and its model, determined by rendering small conversations and from the template's text. */
export interface ChatInfo {
  /** The format of tool calls. */
  readonly calls: CallFamily
  /** Texts that end the model's turn or call; most are control tokens. */
  readonly stops: readonly string[]
  readonly supports: {
    readonly system: boolean
    readonly tools: boolean
    /** Whether one turn can contain several calls. */
    readonly parallelCalls: boolean
    /** Whether tool results are supported, in messages with the role `tool`. */
    readonly toolResponses: boolean
    /** Whether the template supports reasoning. */
    readonly reasoning: boolean
    /** Whether `think` changes the prompt. */
    readonly think: boolean
    /** Whether content can be a list of parts. */
    readonly parts: boolean
  }
}

export interface ParseOptions {
  /**
   * The tools that the model may call: needed for families that write arguments without types, and for those without a call marker.
   */
  tools?: readonly ChatTool[]
  /** The end of the prompt, from the start of the model's turn; it may have opened or closed the reasoning. */
  generationPrompt?: string
  /**
   * Whether the markers of calls begin calls. False: they are text, for a reply that must match a constraint. `first`: they begin
   * calls only if no text precedes them, for a reply of either calls or an answer that matches a constraint. Default: true.
   */
  calls?: boolean | 'first'
}
