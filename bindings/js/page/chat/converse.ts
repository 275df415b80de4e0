// A chat with a model: renders the conversation, lets the model generate, parses the reply, runs tools, and repeats.
import { ChatTemplate, promptText } from '../../chat/template.js'
import type { ChatMessage, MessageToolCall, PromptPart, RenderOptions, ReplyEvent } from '../../chat/types.js'
import type { GenerateOptions, GenerateResult, Token } from '../../types/index.js'
import { HeedError } from '../../wire/errors.js'
import { laterSeed, randomSeed } from '../seed.js'
import type {
  ChatEvent, ChatFinishReason, ChatOptions, ChatResult, ChatStep, ChatToolCall, ChatWriter,
} from './messages.js'
import { callId, Toolbox } from './tools.js'

const refuse = (message: string) => new HeedError('invalid-argument', message)

interface Conversation {
  readonly template: ChatTemplate
  readonly toolbox: Toolbox
  readonly render: RenderOptions
  readonly generate: GenerateOptions
  readonly seed: number
  readonly maxSteps: number
  readonly onToken?: ChatOptions['onToken']
}

/** A cache of parsed templates, shared by all models. */
const parsed = new Map<string, ChatTemplate>()

/** The template of a model, by name or as source. Throws `unsupported` if there is none, and `template`. */
export function templateOf(writer: ChatWriter, asked: string | undefined, withTools: boolean): ChatTemplate {
  const { templates, bosToken, eosToken } = writer
  const named = asked ?? (withTools && templates.tool_use !== undefined ? 'tool_use' : 'default')
  const source = Object.hasOwn(templates, named) ? templates[named] : asked
  if (source === undefined) throw new HeedError('unsupported', 'chat: the model has no chat template; give one as `template`')
  const key = JSON.stringify([source, bosToken?.text, eosToken?.text])
  const known = parsed.get(key) ?? new ChatTemplate(source, { bosToken: bosToken?.text, eosToken: eosToken?.text })
  parsed.delete(key)
  parsed.set(key, known)
  if (parsed.size > 8) parsed.delete(parsed.keys().next().value!)
  return known
}

function read(writer: ChatWriter, options: ChatOptions): Conversation {
  if (typeof options !== 'object' || options === null) throw refuse('chat: expected an object of options')
  const {
    tools = [], toolChoice = 'auto', maxSteps = 8, think, continueFinal = false, template, variables = {}, now, onToken,
    signal: _, seed = randomSeed(), stop = [], ...generate
  } = options
  for (const name of ['addSpecial', 'parseSpecial', 'special', 'stopAtEnd']) {
    if (name in generate) throw refuse(`chat has no option "${name}": its template decides what surrounds the messages`)
  }
  if (toolChoice !== 'auto' && toolChoice !== 'none') {
    throw new HeedError('unsupported',
      `chat: toolChoice: ${JSON.stringify(toolChoice)} needs constrained output, which is not available yet; use auto or none`)
  }
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 1) throw refuse('chat: maxSteps: expected an integer of at least 1')
  if (template !== undefined && typeof template !== 'string') throw refuse('chat: template: expected a string')
  if (typeof continueFinal !== 'boolean') throw refuse('chat: continueFinal: expected true or false')
  if (onToken !== undefined && typeof onToken !== 'function') throw refuse('chat: onToken: expected a function')
  if (typeof variables !== 'object' || variables === null) throw refuse('chat: variables: expected an object')
  if (!Number.isSafeInteger(seed) || seed < 0) throw refuse('chat: seed: expected a non-negative integer')
  const toolbox = new Toolbox(tools)
  const told = toolChoice === 'auto' && toolbox.told.length > 0 ? toolbox.told : undefined
  const found = templateOf(writer, template, told !== undefined)
  return {
    template: found,
    toolbox,
    render: { ...variables, tools: told, think, continueFinal, now },
    generate: { ...generate, stop: [...typeof stop === 'string' ? [stop] : stop, ...found.stops], special: true },
    seed, maxSteps, onToken,
  }
}

/** @internal Runs a chat to its end. Throws the errors of templates, of invalid options and of generations. */
export async function converse(
  writer: ChatWriter, messages: readonly ChatMessage[], options: ChatOptions, signal: AbortSignal, put: (event: ChatEvent) => void,
): Promise<ChatResult> {
  if (!Array.isArray(messages)) throw refuse('chat: expected an array of messages')
  const chat = read(writer, options)
  const added: ChatMessage[] = []
  const steps: ChatStep[] = []
  for (;;) {
    const step = await write(writer, chat, plain([...messages, ...added]), steps.length, signal, put)
    steps.push(step)
    added.push(step.message)
    const ran = signal.aborted ? [] : step.toolCalls.filter(call => chat.toolbox.answers(call))
    for (const call of ran) {
      const { id, name } = call
      const { content, isError } = await chat.toolbox.run(call, { id, signal })
      added.push({ role: 'tool', tool_call_id: id, name, content })
      put({ type: 'tool-result', id, name, content, isError })
    }
    put({ type: 'step', step })
    if (ran.length === 0 || ran.length < step.toolCalls.length || steps.length >= chat.maxSteps || signal.aborted) {
      return outcome(chat, added, steps)
    }
  }
}

/** Joins contents that are all text, and parses arguments that are JSON objects: the forms that templates were written for. */
const plain = (messages: readonly ChatMessage[]): ChatMessage[] => messages.map(message => {
  const { content, tool_calls: calls } = message ?? {}
  const isText = Array.isArray(content) && content.every(part => part?.type === 'text' && typeof part.text === 'string')
  return {
    ...message,
    ...isText && { content: content.map(part => part.text).join('') },
    ...Array.isArray(calls) && { tool_calls: calls.map(withArguments) },
  }
})

function withArguments(call: MessageToolCall): MessageToolCall {
  const given = call?.function?.arguments
  if (typeof given !== 'string') return call
  try {
    const read = JSON.parse(given) as unknown
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...call, function: { ...call.function, arguments: read as never } } : call
  } catch {
    return call
  }
}

async function write(
  writer: ChatWriter, chat: Conversation, messages: readonly ChatMessage[], index: number, signal: AbortSignal,
  put: (event: ChatEvent) => void,
): Promise<ChatStep> {
  const { template, onToken } = chat
  const render = index === 0 ? chat.render : { ...chat.render, continueFinal: false }
  const prompt = template.render(messages, render)
  const promptIds = await writer.tokenize(prompt, false)
  const { bosToken } = writer
  // As in llama.cpp: if the vocabulary begins each text with a token, the conversation begins with it.
  if (bosToken && promptIds[0] !== bosToken.id && (await writer.tokenize('', true))[0] === bosToken.id) promptIds.unshift(bosToken.id)

  const parser = template.parser({ tools: render.tools as never, generationPrompt: begun(template, messages, render, prompt) })
  const ids: string[] = []
  let unheard: Token[] = []  // since the last event
  const tell = (events: readonly ReplyEvent[]) => {
    for (const event of events) {
      const heard = unheard
      unheard = []
      if (event.type === 'text' || event.type === 'reasoning') {
        put({ ...event, tokens: writtenAs(event.delta, heard) })
        continue
      }
      const id = ids[event.index] ??= ('id' in event ? event.id : undefined) ?? callId(chat.seed, messages.length, event.index)
      switch (event.type) {
        case 'tool-call-start': put({ type: event.type, id, name: event.name }); break
        case 'tool-call-delta': put({ type: event.type, id, delta: event.delta }); break
        case 'tool-call': put({ type: event.type, ...event.call, id })
      }
    }
  }
  const { generation } = await writer.write(promptIds, { ...chat.generate, seed: laterSeed(chat.seed, index), signal })
  for await (const token of generation) {
    onToken?.(token)
    unheard.push(token)
    tell(parser.push(token.text))
  }
  const written = await generation
  tell(parser.end())
  const { content, reasoning, toolCalls, incomplete } = parser.result
  const calls = toolCalls.map((call, at): ChatToolCall => ({ ...call, id: ids[at]! }))
  return {
    prompt, promptIds, incomplete,
    message: message(content, reasoning, calls),
    toolCalls: calls,
    finishReason: finishReason(written, calls),
    generation: written,
  }
}

/** The last of the tokens, as many as the text takes up: markup may precede it. Tokens without text start a character. */
function writtenAs(text: string, tokens: readonly Token[]): readonly Token[] {
  let first = tokens.length
  for (let length = 0; first > 0 && (length < text.length || tokens[first - 1]!.text === ''); first--) {
    length += tokens[first - 1]!.text.length
  }
  return tokens.slice(first)
}

/** What the parser needs to know: the start of the model's turn, or the part of the turn that already exists. */
function begun(template: ChatTemplate, messages: readonly ChatMessage[], render: RenderOptions, prompt: readonly PromptPart[]): string {
  if (!render.continueFinal) return template.generationPrompt(messages, render)
  const whole = promptText(prompt)
  const before = promptText(template.render(messages.slice(0, -1), { ...render, continueFinal: false, addGenerationPrompt: false }))
  return whole.startsWith(before) ? whole.slice(before.length) : ''
}

const finishReason = ({ finishReason }: GenerateResult, calls: readonly ChatToolCall[]): ChatFinishReason =>
  finishReason === 'stop' && calls.length > 0 ? 'tool-calls' : finishReason

const message = (content: string, reasoning: string, calls: readonly ChatToolCall[]): ChatMessage => ({
  role: 'assistant',
  content,
  ...reasoning !== '' && { reasoning_content: reasoning },
  ...calls.length > 0 && {
    tool_calls: calls.map(({ id, name, arguments: given, text }) =>
      ({ id, type: 'function', function: { name, arguments: (given ?? text) as never } })),
  },
})

function outcome(chat: Conversation, messages: readonly ChatMessage[], steps: readonly ChatStep[]): ChatResult {
  const last = steps.at(-1)!
  const sum = (name: 'promptTokens' | 'reusedTokens' | 'generatedTokens') =>
    steps.reduce((total, { generation }) => total + generation.timings[name], 0)
  return {
    message: last.message,
    messages,
    text: last.message.content as string,
    reasoning: last.message.reasoning_content ?? '',
    toolCalls: last.toolCalls,
    incomplete: last.incomplete,
    finishReason: last.finishReason,
    usage: { promptTokens: sum('promptTokens'), reusedTokens: sum('reusedTokens'), generatedTokens: sum('generatedTokens') },
    steps,
    seed: chat.seed,
  }
}
