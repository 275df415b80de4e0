// Converts prompts of the AI SDK to our messages.
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { ChatMessage, ContentPart, MessageToolCall } from '../../chat/types.js'
import { unsupported } from './errors.js'
import { toFile } from './files.js'

type Warn = (warning: SharedV4Warning) => void

const custom = (kind: string): SharedV4Warning => ({
  type: 'unsupported',
  feature: `custom content: ${kind}`,
  details: 'It is left out of the prompt.',
})

/** Throws an UnsupportedFunctionalityError for files other than images and sounds in user messages. */
export const toMessages = (prompt: LanguageModelV4Prompt, warn: Warn): ChatMessage[] =>
  prompt.flatMap(message => toMessage(message, warn))

function toMessage(message: LanguageModelV4Message, warn: Warn): ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const parts = message.content.map(
        (part): ContentPart => (part.type === 'text' ? { type: 'text', text: part.text } : toFile(part)),
      )
      // If all parts are texts, they are joined here: not all templates support parts, and those that do join them as well.
      const isText = parts.every(({ type }) => type === 'text')
      return [{ role: 'user', content: isText ? parts.map(({ text }) => text).join('') : parts }]
    }
    case 'assistant':
      return fromAssistant(message.content, warn)
    // Approvals concern tools run by a provider, and this one runs none; the SDK reports approvals of its own tools as results.
    case 'tool':
      return message.content.flatMap(part => (part.type === 'tool-result' ? [toolMessage(part, warn)] : []))
  }
}

/** A result within the content, from a tool that another provider ran, becomes a separate message. */
function fromAssistant(content: (LanguageModelV4Message & { role: 'assistant' })['content'], warn: Warn): ChatMessage[] {
  const messages: ChatMessage[] = []
  let text = '',
    reasoning = ''
  let calls: MessageToolCall[] = []
  const flush = () => {
    if (text === '' && reasoning === '' && calls.length === 0) return
    messages.push({
      role: 'assistant',
      content: text,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    })
    text = reasoning = ''
    calls = []
  }
  for (const part of content) {
    switch (part.type) {
      case 'text':
        text += part.text
        break
      case 'reasoning':
        reasoning += part.text
        break
      case 'tool-call':
        calls.push({ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: part.input as never } })
        break
      case 'tool-result':
        flush()
        messages.push(toolMessage(part, warn))
        break
      case 'custom':
        warn(custom(part.kind))
        break
      default:
        throw unsupported(`${part.type} in a message: ${part.mediaType}`)
    }
  }
  flush()
  return messages.length > 0 ? messages : [{ role: 'assistant', content: '' }]
}

const toolMessage = ({ toolCallId, toolName, output }: LanguageModelV4ToolResultPart, warn: Warn): ChatMessage => ({
  role: 'tool',
  tool_call_id: toolCallId,
  name: toolName,
  content: textOf(output, warn),
})

function textOf(output: LanguageModelV4ToolResultOutput, warn: Warn): string {
  switch (output.type) {
    case 'text':
      return output.value
    case 'json':
      return JSON.stringify(output.value)
    case 'error-text':
    case 'error-json':
      return JSON.stringify({ error: output.value })
    case 'execution-denied':
      return JSON.stringify({ error: output.reason ?? 'the user denied this call' })
    case 'content':
      return output.value
        .flatMap(part => {
          if (part.type === 'text') return [part.text]
          if (part.type === 'file') throw unsupported(`file in a tool's result: ${part.mediaType}`)
          warn(custom("a tool's result"))
          return []
        })
        .join('\n')
  }
}
