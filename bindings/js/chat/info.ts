// Determines the capabilities of a template by rendering small conversations.
import { TemplateError } from './jinja/index.js'
import type { CallFamily, ChatInfo, ChatMessage, PromptPart, RenderOptions } from './types.js'

/** Properties of a template's replies, from its text. */
export interface Replies {
  readonly calls: CallFamily
  /** The markers around reasoning. */
  readonly thoughts: readonly [open: string, close: string]
  /** `stops`, `dropped` and `hasMessages` are as in Format. */
  readonly stops?: readonly string[]
  readonly dropped?: readonly string[]
  readonly hasMessages?: boolean
}

type Render = (messages: readonly ChatMessage[], options: RenderOptions) => PromptPart[]

const now = new Date(0)
const system: ChatMessage = { role: 'system', content: 'Be brief.' }
const user: ChatMessage = { role: 'user', content: 'Question?' }
const call = (name: string) => ({ id: 'call00001', type: 'function', function: { name, arguments: { value: 1 } } })
const result = (content: string): ChatMessage => ({ role: 'tool', tool_call_id: 'call00001', name: 'first_tool', content })
const tools = ['first_tool', 'second_tool'].map(name => ({
  type: 'function' as const,
  function: { name, description: 'A tool.', parameters: { type: 'object', properties: { value: { type: 'integer' } } } },
}))

export function describe(source: string, replies: Replies, render: Render, eosToken?: string): ChatInfo {
  const { calls, thoughts } = replies
  /** The exact prompt; undefined if the template rejects the messages or has to be stopped. */
  const text = (messages: readonly ChatMessage[], options: RenderOptions = {}, adapt = false): string | undefined => {
    try {
      return render(messages, { now, adapt, addGenerationPrompt: false, ...options })
        .map(part => (typeof part === 'string' ? part : part.control))
        .join('')
    } catch (error) {
      if (error instanceof TemplateError) return undefined
      throw error
    }
  }
  const shows = (found: string | undefined, ...wanted: string[]) => found !== undefined && wanted.every(one => found.includes(one))
  const called = (...names: string[]): ChatMessage => ({ role: 'assistant', content: '', tool_calls: names.map(call) })
  const parts = text([{ role: 'user', content: [{ type: 'text', text: 'Part 1.' }] }])
  const thinking = [undefined, true, false].map(think => text([user], { think, addGenerationPrompt: true }, true))
  return {
    calls,
    stops: stops(text([user, { role: 'assistant', content: 'Answer.' }, user], {}, true), replies, eosToken),
    supports: {
      system: shows(text([system, user]) ?? text([system, user], { tools }), 'Be brief.'),
      tools: [[user], [system, user]].some(messages => shows(text(messages, { tools }, true), 'first_tool', 'second_tool')),
      parallelCalls: shows(
        text([user, called('first_tool', 'second_tool'), result('Result 1.'), result('Result 2.')], { tools }, true),
        'first_tool',
        'second_tool',
        'Result 1.',
        'Result 2.',
      ),
      toolResponses: shows(text([user, called('first_tool'), result('Result 1.')], { tools }, true), 'Result 1.'),
      reasoning: source.includes(thoughts[1]) || calls === 'harmony',
      think: thinking.some(prompt => prompt !== thinking[0]),
      parts: shows(parts, 'Part 1.') && !shows(parts, "'text'") && !shows(parts, '"text"'),
    },
  }
}

/** The text that follows an answer, before the next turn, and the stop texts of the format. */
function stops(prompt: string | undefined, { stops: own = [], dropped = [], hasMessages }: Replies, eosToken?: string): string[] {
  let after = prompt?.slice(prompt.lastIndexOf('Answer.') + 'Answer.'.length) ?? ''
  for (const marker of dropped) after = after.replace(marker, '')
  const end = /^\s*(<[^<>\s]+>|\[[^[\]\s]+\])/.exec(after)?.[1]
  return [...new Set([...(hasMessages ? [] : [end, eosToken]), ...own])].filter((stop): stop is string => Boolean(stop))
}
