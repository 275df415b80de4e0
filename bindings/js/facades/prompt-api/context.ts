// The conversation of a session: the part that the model has read, the number of tokens, and the turns to drop if the context is
// full.
import type { ChatMessage, ContentPart, RenderOptions } from '../../chat/types.js'
import { ChatMedia, mediaKey } from '../../prompting/media.js'
import type { ChatOptions } from '../../page/chat/chat-options.generated.js'
import type { Tool } from '../../page/chat/messages.js'
import type { ModelTemplate } from '../../page/chat/model-template.js'
import type { Model } from '../../page/model.js'
import type { Session } from '../../page/session.js'
import type { PromptPart } from '../../types/index.js'
import { beginningOf } from '../browser-ai/beginning.js'
import { exception, quotaExceeded } from '../browser-ai/exceptions.js'
import { type MediaPart, mediaOf, numbered, withMedia } from './media.js'
import type { Settings } from './options.js'
import type { LanguageModelChatOptions } from './types.js'

/** The model, the session and the options of a conversation. */
interface Setup {
  readonly model: Model
  readonly session: Session
  readonly template: ModelTemplate
  readonly settings: Settings
  readonly chat: LanguageModelChatOptions
}

interface Prepared {
  readonly messages: readonly ChatMessage[]
  /** Token ids; -1 for rows of images and sounds. */
  readonly ids: readonly number[]
  /** The prompt with its images and sounds, if there are any. */
  readonly parts?: readonly PromptPart[]
}

const isRefusal = (error: unknown) => (error as { code?: unknown } | undefined)?.code === 'template'

/** Whether a message is an empty answer; some templates reject a conversation that contains one. */
const isNothing = ({ role, content, tool_calls: calls }: ChatMessage) => role === 'assistant' && content === '' && !calls

type Content = ChatMessage['content']

const partsOf = (content: Content): readonly ContentPart[] =>
  Array.isArray(content) ? content : [{ type: 'text', text: `${content}` }]
const joined = (one: Content, other: Content): Content =>
  Array.isArray(one) || Array.isArray(other)
    ? [...partsOf(one), { type: 'text', text: '\n\n' }, ...partsOf(other)]
    : `${one}\n\n${other}`

/** Merges consecutive messages of the same role, because templates often require roles to alternate. */
function merged(messages: readonly ChatMessage[]): ChatMessage[] {
  const list: ChatMessage[] = []
  for (const message of messages) {
    const before = list.at(-1)
    if (before?.role !== message.role || before.tool_calls || message.role === 'tool') list.push(message)
    else list[list.length - 1] = { ...before, content: joined(before.content, message.content) }
  }
  return list
}

/** A message as one text, with placeholders for images and sounds. */
function asText(media: ChatMedia<MediaPart>, message: ChatMessage): ChatMessage {
  const { content, ...rest } = media.asText(message)
  return { ...rest, content: Array.isArray(content) ? content.map(({ text }) => text).join('') : content } as ChatMessage
}

/** The turns without the oldest one, from the next message of the user. */
function withoutOldest(turns: readonly ChatMessage[]): readonly ChatMessage[] {
  const next = turns.findIndex(({ role }, index) => index > 0 && role === 'user')
  return next < 0 ? [] : turns.slice(next)
}

export class Context {
  readonly #setup: Setup
  #turns: readonly ChatMessage[]
  /** Called after turns have been dropped. */
  onOverflow = () => {}
  /** The number of tokens of the conversation. */
  usage: number
  /** The running tool call; the answer waits for it until `signal` is aborted. */
  #calling?: { readonly signal: AbortSignal }

  private constructor(setup: Setup, turns: readonly ChatMessage[] = [], usage = 0) {
    this.#setup = setup
    this.#turns = turns
    this.usage = usage
  }

  /** Opens a conversation and reads the initial prompts. Throws if they are too long. */
  static async open(setup: Omit<Setup, 'session'>, signal?: AbortSignal): Promise<Context> {
    const { model, settings } = setup
    const initial = await withMedia(settings.initial, model)
    const context = new Context({ ...setup, settings: { ...settings, initial }, session: await model.session() })
    try {
      if (context.#initial.length > 0) await context.append([], signal)
      return context
    } catch (error) {
      context.close()
      throw error
    }
  }

  get settings(): Settings {
    return this.#setup.settings
  }

  get model(): Model {
    return this.#setup.model
  }

  get window(): number {
    return this.model.info.contextLength
  }

  /** A copy of the conversation, which continues independently. */
  async fork(): Promise<Context> {
    const session = await this.#setup.session.fork()
    return new Context({ ...this.#setup, session }, this.#turns, this.usage)
  }

  /** Whether an answer waits for a tool. */
  get callsTool(): boolean {
    return this.#calling?.signal.aborted === false
  }

  close(): void {
    void this.#setup.session.dispose()
  }

  /** The number of tokens of these messages alone. */
  async measure(given: readonly ChatMessage[], signal?: AbortSignal): Promise<number> {
    const { model } = this.#setup
    const messages = await withMedia(given, model)
    try {
      return (await this.#prepare(messages, { addGenerationPrompt: false }, signal)).ids.length
    } catch (error) {
      if (!isRefusal(error)) throw error // the template refuses a system message alone, for example: count the text
      const parts = messages.flatMap(({ content }, index) => [
        ...(index > 0 ? ['\n'] : []),
        ...partsOf(content).map((part): PromptPart => mediaOf(part) ?? `${part.text}`),
      ])
      return (await model.tokenize(parts, { addSpecial: false })).length
    }
  }

  /** Adds messages and lets the model read them. */
  async append(given: readonly ChatMessage[], signal?: AbortSignal): Promise<void> {
    const messages = await withMedia(given, this.#setup.model)
    const render = { addGenerationPrompt: false }
    try {
      const { turns, prepared } = await this.#fit(messages, render, 0, signal)
      await this.#read(prepared, signal)
      this.#keep(turns)
      this.usage = prepared.ids.length
    } catch (error) {
      if (!isRefusal(error)) throw error // rejected messages are read with the next ones
      this.usage = await this.measure([...this.#initial, ...this.#turns, ...messages], signal)
      if (this.usage > this.window) throw quotaExceeded(this.usage, this.window)
    }
    this.#turns = [...this.#turns, ...messages]
  }

  /**
   * Adds messages and the model's answer, which is passed to `put` as it arrives. With `prefix`, the last message is the beginning
   * of the answer. Throws and adds nothing if the answer is aborted or cut off before it satisfies the constraint.
   */
  async answer(
    asked: readonly ChatMessage[],
    { prefix, form }: { prefix: boolean; form: Pick<ChatOptions, 'jsonSchema' | 'regex'> },
    signal: AbortSignal,
    put: (delta: string) => void,
  ): Promise<void> {
    const isHeld = Object.keys(form).length > 0
    const {
      session,
      settings: {
        tools,
        sampling: { temperature, topK },
      },
      chat: options,
    } = this.#setup
    if (isHeld && prefix) throw exception('NotSupportedError', 'responseConstraint: not supported with prefix')
    let added: readonly ChatMessage[] = await withMedia(asked, this.#setup.model)
    let room = 1
    for (let continueFinal = prefix; ; continueFinal = true, room = this.window >> 2) {
      const {
        turns,
        prepared: { messages },
      } = await this.#fit(added, { addGenerationPrompt: !continueFinal, continueFinal }, room, signal)
      this.#keep(turns)
      const chat = session.chat(messages, {
        ...options,
        ...form,
        temperature,
        topK,
        tools: tools.map(tool => this.#watched(tool, signal)),
        continueFinal,
        signal,
      })
      for await (const event of chat) if (event.type === 'text' && !signal.aborted) put(event.delta)
      const { messages: answered, message, finishReason, incomplete } = await chat
      signal.throwIfAborted()
      if (isHeld && finishReason !== 'stop')
        throw exception('OperationError', 'The answer was cut off before it met responseConstraint')
      const [first, ...rest] = answered
      const begun = continueFinal ? (added.at(-1)!.content as string) : ''
      added = [...(continueFinal ? added.slice(0, -1) : added), { ...first!, content: `${begun}${first!.content}` }, ...rest]
      // If the context is full in the middle of the answer, the answer continues without the oldest turns.
      const isBegun = !incomplete && message.content !== '' && message.reasoning_content === undefined && !message.tool_calls
      if (isHeld || finishReason !== 'context' || !isBegun || this.#turns.length === 0) break
    }
    this.#turns = [...this.#turns, ...added.filter(message => !isNothing(message))]
    this.usage = await this.measure([...this.#initial, ...this.#turns])
  }

  get #initial(): readonly ChatMessage[] {
    return this.#setup.settings.initial
  }

  #watched({ execute, ...tool }: Tool, signal: AbortSignal): Tool {
    return {
      ...tool,
      execute: async (args, run) => {
        const calling = (this.#calling = { signal })
        try {
          return await execute!(args, run)
        } finally {
          if (this.#calling === calling) this.#calling = undefined // another call may be running if this one outlives its answer
        }
      },
    } as Tool
  }

  #keep(turns: readonly ChatMessage[]): void {
    if (turns.length === this.#turns.length) return
    this.#turns = turns
    this.onOverflow()
  }

  /**
   * The conversation with these messages added. Drops the oldest turns until there is `room` for more tokens. Throws if the
   * messages do not fit even without all other turns.
   */
  async #fit(
    added: readonly ChatMessage[],
    render: RenderOptions,
    room: number,
    signal?: AbortSignal,
  ): Promise<{ turns: readonly ChatMessage[]; prepared: Prepared }> {
    for (let turns = this.#turns; ; turns = withoutOldest(turns)) {
      const messages = [...this.#initial, ...turns, ...added]
      const prepared = await this.#prepare(messages, render, signal)
      if (prepared.ids.length + room <= this.window) return { turns, prepared }
      if (turns.length > 0) continue
      if (prepared.ids.length < this.window && room > 1) return { turns, prepared }
      const requested = await this.measure(messages, signal)
      throw quotaExceeded(requested > this.window ? requested : prepared.ids.length + room, this.window)
    }
  }

  /** The tokens of a conversation, as the template renders it. */
  async #prepare(messages: readonly ChatMessage[], render: RenderOptions, signal?: AbortSignal): Promise<Prepared> {
    const {
      model,
      template,
      settings: { told },
      chat: { think, now, variables },
    } = this.#setup
    let media: ChatMedia<MediaPart> | undefined
    const written = (list: readonly ChatMessage[]) => {
      const { messages, media: found } = numbered(list)
      media = found.length > 0 ? new ChatMedia({ media: found, key: mediaKey() }) : undefined
      const texts = media ? messages.map(message => asText(media!, message)) : list
      return template.renderAsync(texts, { ...variables, think: think && true, now, tools: told, ...render }, { signal })
    }
    let list = messages
    let prompt
    try {
      prompt = await written(list)
    } catch (error) {
      if (!isRefusal(error)) throw error
      prompt = await written((list = merged(messages)))
    }
    const parts: PromptPart[] = media?.restored(prompt) ?? prompt
    const ids = await model.tokenize(parts, { addSpecial: false })
    const missing = await beginningOf(model, ids)
    if (missing.length > 0) {
      ids.unshift(...missing)
      parts.unshift({ ids: missing })
    }
    return { messages: list, ids, ...(media && { parts }) }
  }

  /**
   * Makes the session hold exactly these tokens. The model reads only the new ones; with images and sounds, only those that are not
   * cached.
   */
  async #read({ ids, parts }: Prepared, signal?: AbortSignal): Promise<void> {
    const { session } = this.#setup
    if (parts) {
      await session.truncate(0)
      return session.append(parts, { addSpecial: false, signal })
    }
    let common = 0
    while (common < Math.min(session.length, ids.length) && session.tokens[common] === ids[common]) common++
    await session.truncate(common)
    if (common < ids.length) await session.append(ids.slice(common), { addSpecial: false, signal })
  }
}
