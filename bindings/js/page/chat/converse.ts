// A chat with a model: renders the conversation, lets the model generate, parses the reply, runs tools, and repeats.
import { parserOf } from '../../chat/replies.js'
import type { ChatMessage, RenderOptions, ReplyEvent } from '../../chat/types.js'
import { answerOutline, type Beginning, callsOutline, reasoningOf, replyOutline } from '../../chat/writing/index.js'
import type { GenerateResult, ModelInfo, ReasoningBudget, Token } from '../../types/index.js'
import type { Outline } from '../../wire/constraint.js'
import type { ReasoningLimit, WireMedia, WirePrompt } from '../../wire/protocol.js'
import { ChatMedia, mediaKey, type MediaSizes } from '../../prompting/media.js'
import type { Connection } from '../connection.js'
import { choiceProbabilities } from '../lab/choices.js'
import { parsed } from '../parsed.js'
import type { GenerateRequest } from '../parameters.js'
import { laterSeed } from '../seed.js'
import type { ChatOptions } from './chat-options.generated.js'
import type { ChatEvent, ChatFinishReason, ChatResult, ChatStep, ChatToolCall } from './messages.js'
import type { ChatRequest, ChatWriter } from './request.js'
import { type RunningTemplate, runningTemplate } from './templates.js'
import { callId, Toolbox } from './toolbox.js'
import type { ToolChoice } from './tools.js'

type Put = (event: ChatEvent) => void

interface Chat {
  readonly template: RunningTemplate
  readonly render: RenderOptions
  readonly generate: Omit<GenerateRequest, 'seed'> & { readonly stop: readonly string[] }
  readonly seed: number
  readonly info: ModelInfo
  readonly trim: boolean
  readonly media?: { readonly inPrompts: ChatMedia; readonly sizes: MediaSizes }
  readonly toolbox: Toolbox
  readonly toolChoice: ToolChoice
  readonly parallelToolCalls: boolean
  readonly budget?: ReasoningBudget
  readonly connection: Connection
  readonly onToken?: ChatOptions['onToken']
}

/** @internal Runs a chat to its end. Throws the errors of templates and generations. */
export async function converse(request: ChatRequest, writer: ChatWriter, signal: AbortSignal, put: Put): Promise<ChatResult> {
  const {
    info,
    messages,
    media,
    jinja,
    renderer,
    connection,
    tools,
    withTools,
    toolChoice,
    parallelToolCalls,
    maxSteps,
    think,
    trim,
    continueFinal,
    variables,
    now,
    onToken,
    seed,
    stop = [],
    ...sampling
  } = request
  const toolbox = new Toolbox(tools)
  const template = runningTemplate(info, jinja, renderer, signal)
  // Tools may never end, nor may the decoding of an image or a sound: an abort does not wait for them.
  const aborted = new Promise<undefined>(resolve => signal.addEventListener('abort', () => resolve(undefined)))
  const decoded = media && (signal.aborted ? [] : ((await Promise.race([media, aborted])) ?? []))
  const chat: Chat = {
    template,
    info,
    onToken,
    seed,
    trim,
    media: decoded && chatMedia(decoded),
    toolbox,
    toolChoice,
    parallelToolCalls,
    budget: typeof think === 'object' ? think : undefined,
    connection,
    render: {
      ...variables,
      tools: withTools ? toolbox.descriptions : undefined,
      think: think && true,
      continueFinal,
      now,
    },
    // Markers are control tokens, which are only visible if special tokens are part of the text.
    generate: { ...sampling, signal, stop, special: true, stopAtEnd: true, addSpecial: undefined, parseSpecial: false },
  }
  const added: ChatMessage[] = []
  const steps: ChatStep[] = []
  const notices: string[] = []
  for (;;) {
    const conversation = plain([...messages, ...added].map(message => chat.media?.inPrompts.asText(message) ?? message))
    const step = await write(writer, chat, conversation, steps.length, signal, event => {
      if (event.type === 'notice') notices.push(event.message)
      put(event)
    })
    steps.push(step)
    added.push(step.message)
    const left = new Set(step.toolCalls)
    for (const call of step.toolCalls) {
      if (signal.aborted || !toolbox.answers(call)) continue
      const { id, name } = call
      const outcome = await Promise.race([toolbox.run(call, { id, text: call.text, signal }, writer.calling), aborted])
      if (!outcome) continue
      left.delete(call)
      const { content, isError } = outcome
      added.push({ role: 'tool', tool_call_id: id, name, content })
      put({ type: 'tool-result', id, name, content, isError })
    }
    put({ type: 'step', step })
    const reason = signal.aborted
      ? 'abort'
      : left.size > 0 || step.toolCalls.length === 0
        ? step.finishReason
        : steps.length >= maxSteps
          ? 'steps'
          : undefined
    if (reason) return { ...resultOf(chat, added, steps, [...left], reason), notices }
  }
}

/** Joins contents that consist of text parts only, which is what most templates expect. */
const plain = (messages: readonly ChatMessage[]): ChatMessage[] =>
  messages.map(message => {
    const { content } = message
    const isText =
      Array.isArray(content) &&
      content.every(part => part.type === 'text' && Object.keys(part).every(key => key === 'type' || key === 'text'))
    return isText ? { ...message, content: content.map(part => part.text).join('') } : message
  })

const string = /("(?:[^"\\]|\\.)*")|\s+/g

/**
 * The arguments of a call, for a message: as the model's own text if a parsed object would lose digits, `1.0` or the order of keys.
 */
function argumentsFor({ arguments: given, text }: ChatToolCall): unknown {
  const spelled = given && text.replace(string, (_, one?: string) => (one === undefined ? '' : JSON.stringify(JSON.parse(one))))
  return spelled !== undefined && JSON.stringify(given) === spelled ? given : text
}

/** The images and sounds of a chat; the template worker gets only their sizes, without pixels and samples. */
function chatMedia(media: readonly WireMedia[]): Chat['media'] {
  const key = mediaKey()
  const sizes = media.map(part =>
    'audio' in part
      ? { audio: { ...part.audio, data: new Float32Array() } }
      : { ...part, image: { ...part.image, data: new Uint8Array() } },
  )
  return { inPrompts: new ChatMedia({ media, key }), sizes: { media: sizes, key } }
}

async function write(
  writer: ChatWriter,
  chat: Chat,
  messages: readonly ChatMessage[],
  index: number,
  signal: AbortSignal,
  put: Put,
): Promise<ChatStep> {
  const { template, media, info, generate, onToken } = chat
  const render = index === 0 ? chat.render : { ...chat.render, continueFinal: false }
  const { prompt, promptIds, addsBos, trimmedTurns, generationPrompt, stops, markers, notices } = await template.prompt({
    messages,
    options: render,
    mostTokens: info.contextLength - Math.min(generate.maxTokens, info.contextLength >> 2),
    trim: chat.trim,
    bosId: info.bosToken?.id,
    media: media?.sizes,
    stops: !generate.constraint, // a constrained answer ends by itself
  })
  const parts = media?.inPrompts.restored(prompt) ?? prompt
  const input = media ? { parts: [...(addsBos ? [{ ids: [promptIds[0]!] }] : []), ...parts] } : promptIds

  if (index === 0 && !signal.aborted) for (const message of notices) put({ type: 'notice', message })

  const beginning = { source: template.source, generationPrompt, think: render.think }
  const constraint = outlineOf(chat, beginning, index === 0)
  const reads = !chat.generate.constraint || (render.tools ? 'first' : false)
  const parser = parserOf(template.source, { tools: render.tools as never, generationPrompt, calls: reads }, markers.begins)
  const ids: string[] = []
  let unsent: Token[] = [] // tokens of no event yet
  let reasoningTokens = 0
  let seen = 0
  let beforeAnswer: number | undefined // number of tokens before the answer begins
  const tell = (events: readonly ReplyEvent[]) => {
    for (const event of events) {
      const tokens = unsent
      unsent = []
      if (event.type === 'text' || event.type === 'reasoning') {
        const written = writtenAs(event.delta, tokens)
        if (event.type === 'reasoning') reasoningTokens += written.length
        else beforeAnswer ??= seen - written.length
        put({ ...event, tokens: written })
        continue
      }
      const id = (ids[event.index] ??= ('id' in event ? event.id : undefined) ?? callId(chat.seed, messages.length, event.index))
      switch (event.type) {
        case 'tool-call-start':
          put({ type: event.type, id, name: event.name })
          break
        case 'tool-call-delta':
          put({ type: event.type, id, delta: event.delta })
          break
        case 'tool-call':
          put({ type: event.type, ...event.call, id })
      }
    }
  }
  const { choices, ...options } = chat.generate
  const { generation } = await writer.write(input, {
    ...options,
    constraint,
    reasoning: limitOf(chat.budget, beginning),
    seed: laterSeed(chat.seed, index),
    stop: [...chat.generate.stop, ...stops.map(stop => markers.ids.get(stop) ?? stop)],
  })
  try {
    for await (const token of generation) {
      onToken?.(token)
      unsent.push(token)
      seen++
      tell(parser.push(token.text, markers.texts.get(token.id)))
    }
  } finally {
    await generation.result.catch(() => {}) // the session is free for its next call only then, even if `onToken` throws
  }
  const written = await generation
  tell(parser.end())
  const { content, reasoning, toolCalls, incomplete } = parser.result
  const scored = choices &&
    beforeAnswer !== undefined &&
    !signal.aborted && {
      choiceProbabilities: await choiceProbabilities(
        chat.connection,
        input as WirePrompt,
        choices,
        { ...options, addSpecial: false, parseSpecial: false },
        signal,
        written.tokens.slice(0, beforeAnswer).map(({ id }) => id),
      ),
    }
  const calls = toolCalls.map((call, at): ChatToolCall => ({ ...call, id: ids[at]! }))
  return {
    prompt: parts,
    promptIds,
    trimmedTurns,
    incomplete,
    message: message(content, reasoning, calls),
    toolCalls: calls,
    finishReason: finishReason(written, calls),
    reasoningTokens,
    generation: { ...written, ...scored },
  }
}

/** The constraint of a reply. `toolChoice` applies only to the first reply, because later ones follow the results of tools. */
function outlineOf(
  { generate: { constraint }, toolbox, toolChoice, parallelToolCalls: parallel, render }: Chat,
  beginning: Beginning,
  isFirst: boolean,
): Outline | undefined {
  if (!render.tools) return constraint && answerOutline(beginning, constraint)
  if (isFirst && toolChoice !== 'auto') {
    return callsOutline(beginning, toolbox.called(typeof toolChoice === 'object' ? toolChoice.name : undefined), parallel)
  }
  const tools = parallel ? toolbox.offered : toolbox.called()
  if (constraint) return callsOutline(beginning, tools, parallel, constraint)
  return parallel && !toolbox.isStrict ? undefined : replyOutline(beginning, tools, parallel)
}

/** The reasoning limit that the budget sets; undefined for a reply that does not reason. */
function limitOf(budget: ReasoningBudget | undefined, beginning: Beginning): ReasoningLimit | undefined {
  const reasoning = budget && reasoningOf(beginning)
  if (!reasoning) return undefined
  const { isBegun, open, closes } = reasoning
  const { maxTokens, message = '' } = budget
  return { begun: isBegun, open, closes, maxTokens, ending: { parts: [message, { control: closes[0]! }] } }
}

/** The tokens of `text`, which are the last ones: markup may precede it. A token without text belongs to the next character. */
function writtenAs(text: string, tokens: readonly Token[]): readonly Token[] {
  let first = tokens.length
  for (let length = 0; first > 0 && (length < text.length || tokens[first - 1]!.text === ''); first--) {
    length += tokens[first - 1]!.text.length
  }
  return tokens.slice(first)
}

const finishReason = ({ finishReason }: GenerateResult, calls: readonly ChatToolCall[]): ChatFinishReason =>
  finishReason === 'stop' && calls.length > 0 ? 'tool-calls' : finishReason

const message = (content: string, reasoning: string, calls: readonly ChatToolCall[]): ChatMessage => ({
  role: 'assistant',
  content,
  ...(reasoning !== '' && { reasoning_content: reasoning }),
  ...(calls.length > 0 && {
    tool_calls: calls.map(call => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: argumentsFor(call) as never },
    })),
  }),
})

function resultOf(
  chat: Chat,
  messages: readonly ChatMessage[],
  steps: readonly ChatStep[],
  toolCalls: readonly ChatToolCall[],
  finishReason: ChatFinishReason,
): Omit<ChatResult, 'notices'> {
  const last = steps.at(-1)!
  const sum = (count: (step: ChatStep) => number) => steps.reduce((total, step) => total + count(step), 0)
  const generatedTokens = sum(step => step.generation.timings.generatedTokens)
  const decodeMs = sum(step => step.generation.timings.decodeMs)
  return {
    message: last.message,
    messages,
    text: last.message.content as string,
    parsed: parsed(chat.generate.constraint, last.message.content as string, { ...last.generation, stop: chat.generate.stop }),
    ...(last.generation.choiceProbabilities && { choiceProbabilities: last.generation.choiceProbabilities }),
    reasoning: last.message.reasoning_content ?? '',
    toolCalls,
    incomplete: last.incomplete,
    finishReason,
    usage: {
      promptTokens: sum(step => step.generation.timings.promptTokens),
      reusedTokens: sum(step => step.generation.timings.reusedTokens),
      generatedTokens,
      reasoningTokens: sum(step => step.reasoningTokens),
      tokensPerSecond: decodeMs > 0 ? (generatedTokens * 1000) / decodeMs : 0,
    },
    trimmedTurns: last.trimmedTurns,
    steps,
    seed: chat.seed,
  }
}
