// Converts the conversations and tools of requests to those of `Model.chat`.
import type { ChatMessage, ChatTool, ContentPart } from '../../chat/types.js'
import { ParameterError } from './errors.js'
import { imagePart } from './images.js'
import { boolean, fields, list, object, only, type Read, type Reader, type Readers, schema, show, text } from './read.js'
import { audioPart } from './sounds.js'
import { ofAnsweredParts, ofAnswers, ofCalls, ofFunctions, ofMessages, ofParts, ofTools } from './unread.js'

/** Checks that a required field is present. */
export function needed<Value>(value: Value | undefined, param: string): Value {
  if (value === undefined) throw new ParameterError(param, 'missing')
  return value
}

/** Reads a part whose text is in the field `name`. */
export const textPart = (name: 'text' | 'refusal', others: Readers = {}): Reader<ContentPart> => {
  const read: Reader<{ [name: string]: unknown }> = fields({ ...others, type: text, [name]: text, ...ofParts })
  return (value, param) => ({ type: 'text', text: needed(read(value, param)[name], `${param}.${name}`) as string })
}

/** Reads content: a text, or parts of these types. A part without a type has the first of them. */
export const contentOf = (parts: Record<string, Reader<ContentPart>>): Reader<string | ContentPart[]> => {
  const type: Reader<void> = only('', ...Object.keys(parts))
  const read: Reader<ContentPart> = (value, param, warn) => {
    const { type: given } = object(value, param)
    if (given != null) type(given, `${param}.type`)
    return parts[(given as string) ?? Object.keys(parts)[0]]!(value, param, warn)
  }
  return (value, param, warn) => (typeof value === 'string' ? value : list(read)(value, param, warn))
}
const parts = { text: textPart('text') }
const content = contentOf(parts)

const call = fields({
  id: text,
  type: only('only functions are', 'function'),
  function: fields({ name: text, arguments: text, ...ofFunctions }),
  ...ofCalls,
})

const instruction = { role: text, content, name: text, ...ofMessages }
/** As in OpenAI's API, only users' messages may have images and sounds, and only assistants' refusals. */
const known = {
  system: instruction,
  developer: instruction,
  user: { ...instruction, content: contentOf({ ...parts, image_url: imagePart, input_audio: audioPart }) },
  assistant: {
    ...instruction,
    content: contentOf({ text: textPart('text', ofAnsweredParts), refusal: textPart('refusal') }),
    refusal: text,
    reasoning_content: text,
    reasoning: text,
    tool_calls: list(call),
    ...ofAnswers,
  },
  tool: { ...instruction, tool_call_id: text },
}

const message: Reader<ChatMessage> = (value, param, warn) => {
  const { role } = object(value, param)
  if (!Object.hasOwn(known, role as string)) {
    throw new ParameterError(`${param}.role`, `expected ${Object.keys(known).join(' or ')}, got ${show(role)}`)
  }
  const read: Read<typeof known.assistant & typeof known.tool> = fields(known[role as keyof typeof known] as Readers)(
    value,
    param,
    warn,
  )
  // Some servers call `reasoning_content` `reasoning`.
  const { content, refusal, tool_calls, reasoning, reasoning_content = reasoning, ...rest } = read
  if (role === 'tool') needed(rest.tool_call_id, `${param}.tool_call_id`)
  return {
    ...(rest as Pick<ChatMessage, 'role'>),
    ...(reasoning_content !== undefined && { reasoning_content }),
    content: role === 'assistant' ? content || refusal || '' : needed(content, `${param}.content`),
    ...(tool_calls?.length && {
      tool_calls: tool_calls.map(({ id, function: called }, at) => ({
        id: needed(id, `${param}.tool_calls[${at}].id`),
        type: 'function',
        function: {
          name: needed(called?.name, `${param}.tool_calls[${at}].function.name`),
          arguments: called?.arguments ?? '{}',
        },
      })),
    }),
  }
}

export const messages: Reader<ChatMessage[]> = (value, param, warn) => {
  const read = list(message)(value, param, warn)
  if (read.length === 0) throw new ParameterError(param, 'must not be empty')
  return withNames(read)
}

/** Copies the tool's name from each call to its result: templates need it there, but in the API, only the call has it. */
export function withNames(messages: readonly ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>()
  return messages.map(one => {
    for (const {
      id,
      function: { name },
    } of one.tool_calls ?? [])
      names.set(id!, name)
    const name = names.get(one.tool_call_id!)
    return name === undefined ? one : { ...one, name }
  })
}

const readTool = fields({
  type: only('only functions are', 'function'),
  function: fields({ name: text, description: text, parameters: schema, strict: boolean }),
  ...ofTools,
})

export const tools: Reader<ChatTool[]> = list((value, param) => {
  const { function: told } = readTool(value, param)
  needed(told?.name, `${param}.function.name`)
  return { type: 'function', function: told as ChatTool['function'] }
})
