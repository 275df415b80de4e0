// The types of OpenAI's responses: parameters, results and the events of a stream.
import type { OfferedFormParams, OfferedParams } from '../offered.generated.js'
import type { TokenLogprob } from '../types.js'

/** Other fields of OpenAI's types, which have no effect here. */
interface Beside {
  prompt_cache_breakpoint?: object | null
}

export type ResponseInputContent =
  | ({ type: 'input_text'; text: string } & Beside)
  /** For models that read images: a `data:` or `blob:` address; any other if the client has `fetchImages`. */
  | ({
      type: 'input_image'
      image_url?: string | null
      detail?: 'auto' | 'low' | 'high' | 'original' | null
      /** Refused. */
      file_id?: string | null
    } & Beside)
  /** For models that hear: a sound file in Base64. */
  | ({ type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } } & Beside)
  /** Refused. */
  | ({ type: 'input_file' } & Beside)

type Status = 'in_progress' | 'completed' | 'incomplete'

/** Items of OpenAI's types that Heed rejects: calls of server tools, and their results. */
export interface RefusedResponseItem {
  type:
    | 'additional_tools'
    | 'apply_patch_call'
    | 'apply_patch_call_output'
    | 'code_interpreter_call'
    | 'compaction'
    | 'compaction_trigger'
    | 'computer_call'
    | 'computer_call_output'
    | 'configuration_update'
    | 'custom_tool_call'
    | 'custom_tool_call_output'
    | 'file_search_call'
    | 'image_generation_call'
    | 'local_shell_call'
    | 'local_shell_call_output'
    | 'mcp_approval_request'
    | 'mcp_approval_response'
    | 'mcp_call'
    | 'mcp_list_tools'
    | 'program'
    | 'program_output'
    | 'shell_call'
    | 'shell_call_output'
    | 'tool_search_call'
    | 'tool_search_output'
    | 'web_search_call'
}

/** A part of a conversation. The items of a response's `output` are among them. */
export type ResponseInputItem =
  | {
      type?: 'message'
      role: 'user' | 'system' | 'developer'
      content: string | readonly ResponseInputContent[]
      status?: Status
      phase?: string | null
    }
  | {
      type?: 'message'
      role: 'assistant'
      content:
        | string
        | readonly (
            | { type: 'output_text'; text: string; annotations?: readonly object[]; logprobs?: readonly object[] }
            | { type: 'refusal'; refusal: string }
            | ResponseInputContent
          )[]
      id?: string
      status?: Status
      phase?: string | null
    }
  | {
      type: 'reasoning'
      id?: string
      summary?: readonly { type: 'summary_text'; text: string }[]
      content?: readonly { type: 'reasoning_text'; text: string }[]
      encrypted_content?: string | null
      status?: Status
    }
  | {
      type: 'function_call'
      call_id: string
      name: string
      arguments: string
      id?: string
      status?: Status
      async?: boolean
      caller?: object | null
      namespace?: string
    }
  | {
      type: 'function_call_output'
      call_id?: string | null
      output: string | readonly ResponseInputContent[]
      id?: string | null
      status?: Status | null
      caller?: object | null
      name?: string | null
      namespace?: string | null
    }
  /** An item of an earlier response that is still kept. */
  | { type?: 'item_reference' | null; id: string }
  | RefusedResponseItem

export interface ResponseFunctionTool {
  type: 'function'
  name: string
  description?: string | null
  /** A JSON schema. */
  parameters: Record<string, unknown> | null
  /** Whether `parameters` restrict a call as it is written, so that it always matches them. */
  strict: boolean | null
}

/**
 * Tools that OpenAI's servers run, or whose calls are texts. `custom`, `image_generation`, `namespace`, `tool_search` and
 * `web_search`, which Codex adds by itself, are left out with a warning.
 */
export interface RefusedResponseTool {
  type:
    | 'apply_patch'
    | 'code_interpreter'
    | 'computer'
    | 'computer_use_preview'
    | 'custom'
    | 'file_search'
    | 'image_generation'
    | 'local_shell'
    | 'mcp'
    | 'namespace'
    | 'programmatic_tool_calling'
    | 'shell'
    | 'tool_search'
    | 'web_search'
    | 'web_search_2025_08_26'
    | 'web_search_preview'
    | 'web_search_preview_2025_03_11'
}

export type ResponseToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { type: 'function'; name: string }
  | { type: 'allowed_tools'; mode: 'auto' | 'required'; tools: Record<string, unknown>[] }

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; schema: Record<string, unknown>; description?: string; strict?: boolean | null }

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null

export interface ResponseCreateParams extends OfferedParams, OfferedFormParams {
  /** A text of the user, or items of a conversation. They follow the items of `previous_response_id`, if it is given. */
  input?: string | readonly ResponseInputItem[]
  /** A system message for this response alone; a response that continues it needs its own. */
  instructions?: string | null
  /** The name of the model; any name, if there is only one. */
  model?: string | null
  stream?: boolean | null
  stream_options?: { include_obfuscation?: boolean } | null
  tools?: readonly ((Omit<ResponseFunctionTool, 'strict' | 'parameters'> & Partial<ResponseFunctionTool>) | RefusedResponseTool)[]
  /**
   * With `required` or a tool, the answer consists of calls, with arguments that match their schemas. With `allowed_tools`, the
   * model sees only these.
   */
  tool_choice?: ResponseToolChoice | { type: RefusedResponseTool['type'] | 'computer_use' } | null
  /** If false, an answer has at most one call, and ends with it. */
  parallel_tool_calls?: boolean | null
  /**
   * The answer is JSON: any object, or one that matches a schema. It always matches, even if `strict` is false. With tools, the
   * answer is this JSON or calls.
   */
  text?: { format?: ResponseFormat; verbosity?: 'low' | 'medium' | 'high' | null } | null
  /** Default: until the answer ends or the context is full. */
  max_output_tokens?: number | null
  /** `message.output_text.logprobs` adds log-probabilities; other values have no effect. */
  include?: readonly string[] | null
  /** From 0 to 20. */
  top_logprobs?: number | null
  /**
   * `effort`: as far as the model's template supports it; otherwise there is a warning. With `summary`, the summary is the whole
   * reasoning.
   */
  reasoning?: {
    effort?: Effort
    summary?: 'auto' | 'concise' | 'detailed' | null
    generate_summary?: 'auto' | 'concise' | 'detailed' | null
    context?: string | null
    mode?: string
  } | null
  /** With `auto`, the oldest turns are dropped if the conversation is longer than the context; otherwise that is an error. */
  truncation?: 'auto' | 'disabled' | null
  /** The id of a kept response, whose conversation is continued. */
  previous_response_id?: string | null
  /**
   * Whether the response is kept for `retrieve` and `previous_response_id`, in memory. The 256 most recently used are kept.
   * Default: true.
   */
  store?: boolean | null
  /** Returns at once; `retrieve` returns the current state, `cancel` ends it. Not together with `stream`. */
  background?: boolean | null
  /** Returned as it is. */
  metadata?: Record<string, string> | null
  /** Extension: variables of the chat template, such as `enable_thinking`. */
  chat_template_kwargs?: Record<string, unknown> | null
  /** No effect, like all parameters below: they concern OpenAI's servers, or would influence the answer, which causes a warning. */
  user?: string | null
  service_tier?: string | null
  safety_identifier?: string | null
  prompt_cache_key?: string | null
  prompt_cache_options?: object | null
  prompt_cache_retention?: string | null
  max_tool_calls?: number | null
  access_programs?: object | null
  background_options?: object | null
  image?: object | null
  moderation?: object | null
  context_management?: readonly object[] | null
  /** Refused, like all parameters below. */
  conversation?: string | object | null
  prompt?: object | null
}

export interface ResponseOutputText {
  type: 'output_text'
  text: string
  annotations: never[]
  /** Log-probabilities of the text's tokens, if they were requested. */
  logprobs: TokenLogprob[]
}

export interface ResponseReasoningText {
  type: 'reasoning_text'
  text: string
}

export interface ResponseSummaryText {
  type: 'summary_text'
  text: string
}

export interface ResponseOutputMessage {
  type: 'message'
  id: string
  role: 'assistant'
  status: Status
  content: ResponseOutputText[]
}

/** The reasoning before the answer: in `content`, or in `summary` if a summary was requested. */
export interface ResponseReasoningItem {
  type: 'reasoning'
  id: string
  status: Status
  summary: ResponseSummaryText[]
  content?: ResponseReasoningText[]
}

export interface ResponseFunctionToolCall {
  type: 'function_call'
  id: string
  call_id: string
  name: string
  /** JSON, unless the model made a mistake. */
  arguments: string
  /** `incomplete`: the answer was cut off within the call. */
  status: Status
}

export type ResponseOutputItem = ResponseOutputMessage | ResponseReasoningItem | ResponseFunctionToolCall

export interface ResponseUsage {
  input_tokens: number
  /** Input tokens that were cached. */
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number }
  total_tokens: number
}

export interface Response {
  id: string
  object: 'response'
  created_at: number
  completed_at: number | null
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
  background: boolean
  error: { code: 'server_error'; message: string } | null
  incomplete_details: { reason: 'max_output_tokens' } | null
  instructions: string | null
  max_output_tokens: number | null
  metadata: Record<string, string>
  model: string
  output: ResponseOutputItem[]
  /** The text of the messages in `output`. */
  output_text: string
  parallel_tool_calls: boolean
  previous_response_id: string | null
  reasoning: { effort: Effort; summary: 'auto' | 'concise' | 'detailed' | null }
  store: boolean
  temperature: number | null
  text: { format: ResponseFormat; verbosity: 'medium' }
  tool_choice: ResponseToolChoice
  tools: ResponseFunctionTool[]
  top_logprobs: number
  top_p: number | null
  truncation: 'auto' | 'disabled'
  access_programs: null
  /** Present once the response has ended. */
  usage?: ResponseUsage
}

export interface DeletedResponse {
  id: string
  object: 'response'
  deleted: true
}

interface Event<Type extends string> {
  type: Type
  /** From 0. */
  sequence_number: number
}

interface OfResponse<Type extends string> extends Event<Type> {
  response: Response
}

interface OfItem<Type extends string> extends Event<Type> {
  item: ResponseOutputItem
  output_index: number
}

interface InItem<Type extends string> extends Event<Type> {
  item_id: string
  output_index: number
}

interface InContent<Type extends string> extends InItem<Type> {
  content_index: number
}

interface InSummary<Type extends string> extends InItem<Type> {
  summary_index: number
}

/** The events of a stream, in OpenAI's order. A response that fails after its first token ends with `response.failed`. */
export type ResponseStreamEvent =
  | OfResponse<'response.created'>
  | OfResponse<'response.in_progress'>
  | OfResponse<'response.completed'>
  | OfResponse<'response.incomplete'>
  | OfResponse<'response.failed'>
  | OfItem<'response.output_item.added'>
  | OfItem<'response.output_item.done'>
  | (InContent<'response.content_part.added'> & { part: ResponseOutputText | ResponseReasoningText })
  | (InContent<'response.content_part.done'> & { part: ResponseOutputText | ResponseReasoningText })
  | (InContent<'response.output_text.delta'> & { delta: string; logprobs: TokenLogprob[] })
  | (InContent<'response.output_text.done'> & { text: string; logprobs: TokenLogprob[] })
  | (InContent<'response.reasoning_text.delta'> & { delta: string })
  | (InContent<'response.reasoning_text.done'> & { text: string })
  | (InSummary<'response.reasoning_summary_part.added'> & { part: ResponseSummaryText })
  | (InSummary<'response.reasoning_summary_part.done'> & { part: ResponseSummaryText })
  | (InSummary<'response.reasoning_summary_text.delta'> & { delta: string })
  | (InSummary<'response.reasoning_summary_text.done'> & { text: string })
  | (InItem<'response.function_call_arguments.delta'> & { delta: string })
  | (InItem<'response.function_call_arguments.done'> & { arguments: string; name: string })
