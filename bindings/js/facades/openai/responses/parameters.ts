// The parameters of responses, and their readers.
import type { ChatTool } from '../../../chat/types.js'
import type { ChatMessage } from '../../../chat/types.js'
import { needed } from '../conversation.js'
import { ParameterError } from '../errors.js'
import { formatType, type Json, jsonOf } from '../json.js'
import { offered, offeredForm } from '../offered.generated.js'
import { boolean, fields, ignored, integer, list, noEffect, object, oneOf, only, type Reader, schema, text } from '../read.js'
import { limit } from '../sampling.js'
import { type ToolChoice, toolChoiceOf } from '../tool-choice.js'
import { ofCaches, ofStreams, verbosity } from '../unread.js'
import { inputOf } from './input.js'
import type { KeptResponses } from './kept.js'
import type { ResponseCreateParams, ResponseFormat, ResponseToolChoice } from './types.js'
import { ofReasoning, ofResponses, ofTools } from './unread.js'

const type = only('only functions are', 'function')
const readTool = fields({ type, name: text, description: text, parameters: schema, strict: boolean, ...ofTools, ...ofCaches })

/** Tools that Codex adds to its functions by itself, so that they are left out instead of refused, as by other local servers. */
const unasked: unknown[] = ['custom', 'image_generation', 'namespace', 'tool_search', 'web_search']

const tool: Reader<ChatTool | undefined> = (value, param, warn) => {
  const { type: given } = object(value, param)
  if (unasked.includes(given)) return void warn?.(`${param}.type`, `${given} is left out: only functions are supported`)
  type(given, `${param}.type`) // first, because other types have other fields
  const { name, ...told } = readTool(value, param, warn)
  return { type: 'function', function: { name: needed(name, `${param}.name`), ...told } as ChatTool['function'] }
}
const tools: Reader<ChatTool[]> = (value, param, warn) => list(tool)(value, param, warn).filter(one => one !== undefined)

const readChoice = fields({ type, name: text })
const choice = toolChoiceOf((value, param) => {
  type(object(value, param).type, `${param}.type`)
  return needed(readChoice(value, param).name, `${param}.name`)
})
/** `given` is the unconverted value, which the response repeats. */
const tool_choice: Reader<ToolChoice & { given: ResponseToolChoice }> = (value, param, warn) => ({
  ...choice(value, param, warn),
  given: value as ResponseToolChoice,
})

const format: Reader<Json & { given: ResponseFormat }> = (value, param) => {
  const { type, schema: given } = fields({ type: formatType, name: text, description: text, schema, strict: boolean })(value, param)
  if (type === 'json_schema' && !given) throw new ParameterError(`${param}.schema`, 'missing')
  return { ...jsonOf(type, given), given: value as ResponseFormat }
}

const summaries = oneOf('auto', 'concise', 'detailed')
const summary: Reader<'auto' | 'concise' | 'detailed'> = (value, param, warn) => {
  const read = summaries(value, param)
  if (read === 'concise') warn?.(param, 'the whole reasoning stands for its summary')
  return read
}

const includable = [
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.results',
  'web_search_call.action.sources',
  'file_search_call.results',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'message.input_image.image_url',
]

export const parametersOf = (kept: KeptResponses) =>
  ({
    input: inputOf(kept) as Reader<ChatMessage[]>,
    instructions: text,
    model: text,
    ...offered,
    ...offeredForm,
    stream: boolean,
    stream_options: fields(ofStreams),
    tools,
    tool_choice,
    parallel_tool_calls: boolean,
    text: fields({ format, verbosity }),
    max_output_tokens: limit,
    include: list(oneOf(...includable)),
    top_logprobs: integer(0, 20),
    reasoning: fields({ effort: text, summary, generate_summary: summary, ...ofReasoning }),
    truncation: oneOf('auto', 'disabled'),
    previous_response_id: text,
    store: boolean,
    background: boolean,
    metadata: object,
    chat_template_kwargs: object,
    ...ofResponses,
  }) satisfies Record<keyof ResponseCreateParams, Reader<unknown>>

/** The parameters of `retrieve`. */
export const ofRetrieving = {
  include: ignored(),
  include_obfuscation: ignored(),
  stream: only('a response is retrieved whole', false),
  starting_after: noEffect('a response is retrieved whole'),
}
