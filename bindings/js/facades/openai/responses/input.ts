// Converts the items of requests to the messages of `Model.chat`.
import type { ChatMessage, ContentPart, MessageToolCall } from '../../../chat/types.js'
import { contentOf, needed, textPart } from '../conversation.js'
import { detail, imageOf } from '../images.js'
import { fields, list, object, oneOf, only, type Reader, refused, text, type Warn } from '../read.js'
import { audioPart } from '../sounds.js'
import { ofParts } from '../unread.js'
import type { KeptResponses } from './kept.js'
import { ofCalls, ofItems, ofOutputTexts } from './unread.js'

const readImage = fields({
  type: text,
  image_url: text,
  file_id: refused('files are not kept: give the image in `image_url`'),
  detail,
  ...ofParts,
})
const imagePart: Reader<ContentPart> = (value, param, warn) => imageOf(readImage(value, param, warn).image_url, param, 'image_url')

const input_text = textPart('text')
const said = { type: text, role: text, ...ofItems }
/** As in OpenAI's API, only users' messages may have images and sounds, and only assistants' refusals. */
const messages = {
  system: fields({ ...said, content: contentOf({ input_text }) }),
  developer: fields({ ...said, content: contentOf({ input_text }) }),
  user: fields({ ...said, content: contentOf({ input_text, input_image: imagePart, input_audio: audioPart }) }),
  assistant: fields({
    ...said,
    content: contentOf({ output_text: textPart('text', ofOutputTexts), input_text, refusal: textPart('refusal') }),
  }),
}
const roleOf = oneOf(...(Object.keys(messages) as (keyof typeof messages)[]))

const textOf = (content: string | readonly ContentPart[]) =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')

const reasoningTexts = list(fields({ type: text, text }))
const readReasoning = fields({ type: text, summary: reasoningTexts, content: reasoningTexts, ...ofItems })
const readCall = fields({ type: text, call_id: text, name: text, arguments: text, ...ofCalls, status: text })
const readOutput = fields({ type: text, call_id: text, output: contentOf({ input_text }), name: text, ...ofCalls })
const readReference = fields({ type: text, id: text })

/** Reads an item. Undefined for items that contain nothing for the model. */
type ItemReader = (value: unknown, param: string, kept: KeptResponses, warn?: Warn) => ChatMessage | undefined

const items: Record<string, ItemReader> = {
  message(value, param, _, warn) {
    const role = roleOf(object(value, param).role, `${param}.role`)
    const content = needed(messages[role](value, param, warn).content, `${param}.content`)
    return { role, content: role === 'assistant' ? textOf(content) : content }
  },
  reasoning(value, param) {
    const { content = [], summary = [] } = readReasoning(value, param)
    const reasoning_content = (content.length > 0 ? content : summary).map(({ text = '' }) => text).join('\n\n')
    return reasoning_content === '' ? undefined : { role: 'assistant', content: '', reasoning_content }
  },
  function_call(value, param) {
    const { call_id, name, arguments: given = '{}', status } = readCall(value, param)
    const call: MessageToolCall = {
      id: needed(call_id, `${param}.call_id`),
      type: 'function',
      function: { name: needed(name, `${param}.name`), arguments: given },
    }
    return status === 'incomplete' ? undefined : { role: 'assistant', content: '', tool_calls: [call] }
  },
  function_call_output(value, param, _, warn) {
    const { call_id, output, name } = readOutput(value, param, warn)
    return {
      role: 'tool',
      tool_call_id: needed(call_id, `${param}.call_id`),
      content: needed(output, `${param}.output`),
      ...(name !== undefined && { name }),
    }
  },
  item_reference(value, param, kept) {
    const item = kept.item(needed(readReference(value, param).id, `${param}.id`), `${param}.id`)
    return items[item.type]!(item, param, kept)
  },
}
const typeOf: Reader<void> = only('', ...Object.keys(items))

/**
 * Whether the assistant's message after `before` belongs to the same turn: reasoning, then text, then calls. A text after calls,
 * which some clients put there, belongs to it as well, because the results must directly follow the calls.
 */
const goesOn = (before: ChatMessage | undefined, { role, reasoning_content, tool_calls }: ChatMessage) =>
  role === 'assistant' &&
  before?.role === 'assistant' &&
  (tool_calls !== undefined || (reasoning_content === undefined && (before.content === '' || before.tool_calls !== undefined)))

/** Merges both into one turn. */
function joined(before: ChatMessage, { content, tool_calls = [] }: ChatMessage): ChatMessage {
  const calls = [...(before.tool_calls ?? []), ...tool_calls]
  return {
    ...before,
    content: [before.content, content].filter(Boolean).join('\n\n'),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Converts items to messages; `param` is the name of the list. */
export function conversationOf(given: readonly unknown[], param: string, kept: KeptResponses, warn?: Warn): ChatMessage[] {
  const said: ChatMessage[] = []
  for (const [at, value] of given.entries()) {
    const place = `${param}[${at}]`
    const { type, role } = object(value, place)
    if (type != null) typeOf(type, `${place}.type`)
    const item = items[(type as string | undefined) ?? (role === undefined ? 'item_reference' : 'message')]!(
      value,
      place,
      kept,
      warn,
    )
    const before = said.at(-1)
    if (!item) continue
    if (goesOn(before, item)) said[said.length - 1] = joined(before!, item)
    else said.push(item)
  }
  return said
}

/** The reader of `input`. */
export const inputOf =
  (kept: KeptResponses): Reader<ChatMessage[]> =>
  (value, param, warn) =>
    typeof value === 'string'
      ? [{ role: 'user', content: value }]
      : conversationOf(list(value => value)(value, param), param, kept, warn)
