// Code that the types of heed/chat must accept and code that they must reject; compiled by package.test.js, never run.
import { ChatTemplate, type HeedError, promptText, TemplateError } from 'heed/chat'
import type {
  CallFamily,
  ChatInfo,
  ChatMessage,
  ChatTool,
  ParsedReply,
  PromptPart,
  ReplyEvent,
  ReplyParser,
  ToolCall,
} from 'heed/chat'

const template = new ChatTemplate('{{ messages }}', { bosToken: '<s>', eosToken: null })
const messages: ChatMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'a' }] },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: { a: [1, null] } } }],
  },
  { role: 'tool', tool_call_id: 'a', content: '{}' },
]
const tools: ChatTool[] = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }]
const parts: PromptPart[] = template.render(messages, { tools, think: true, now: new Date(), reasoning_effort: 'low' })
for (const part of parts) if (typeof part !== 'string') part.control.length
const text: string = promptText(parts)
// @ts-expect-error unknown option
new ChatTemplate('', { bos: '<s>' })
// @ts-expect-error `role` is required
template.render([{ content: 'a' }])
// @ts-expect-error `think` is a boolean
template.render(messages, { think: 'yes' })

const parser: ReplyParser = template.parser({ tools, generationPrompt: template.generationPrompt(messages) })
const shown = (event: ReplyEvent): string =>
  event.type === 'tool-call' ? event.call.name : event.type === 'tool-call-start' ? event.name : event.delta
parser.push(text).concat(parser.end()).map(shown)
const { content, toolCalls, incomplete }: ParsedReply = parser.result
const call: ToolCall | undefined = toolCalls[0]
// @ts-expect-error `arguments` may be undefined
call?.arguments.a
const { calls, supports, stops }: ChatInfo = template.info
const family: CallFamily = calls
const error: HeedError = new TemplateError('raise_exception', `${content}${incomplete}${supports.tools}${stops[0]}${family}`)
export { error }
