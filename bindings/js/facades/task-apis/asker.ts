// Asks a model for a text, or for the probabilities of given answers.
import type { ChatMessage } from '../../chat/types.js'
import type { ModelTemplate } from '../../page/chat/model-template.js'
import { sharesOf } from '../../page/lab/shares.js'
import type { Model } from '../../page/model.js'
import { beginningOf } from '../browser-ai/beginning.js'
import { exception, quotaExceeded } from '../browser-ai/exceptions.js'
import type { Asked } from './sentences.js'
import type { TaskChatOptions } from './types.js'

export class Asker {
  readonly model: Model
  readonly #template: ModelTemplate
  readonly #chat: TaskChatOptions
  /** The maximum number of tokens of a prompt. */
  readonly quota: number

  private constructor(model: Model, template: ModelTemplate, chat: TaskChatOptions, share: number) {
    this.model = model
    this.#template = template
    this.#chat = chat
    this.quota = Math.floor(model.info.contextLength * share)
  }

  /** `share` is the fraction of the context that a prompt may take. */
  static async over(model: Model, chat: TaskChatOptions, share: number): Promise<Asker> {
    return new Asker(model, await model.chatTemplate(chat.template), chat, share)
  }

  async measure(asked: Asked, signal: AbortSignal): Promise<number> {
    return (await this.#tokens(asked, signal)).length
  }

  /** Passes the answer to `put` as it arrives. */
  async answer(asked: Asked, signal: AbortSignal, put: (delta: string) => void): Promise<void> {
    this.#check(await this.#tokens(asked, signal))
    const chat = this.model.chat(this.#messages(asked), { ...this.#chat, signal })
    for await (const event of chat) if (event.type === 'text' && !signal.aborted) put(event.delta)
    const { finishReason } = await chat
    signal.throwIfAborted()
    if (finishReason === 'context') throw exception('UnknownError', 'The text is cut off: the context is full')
  }

  /** The probabilities of these answers, scaled so that their sum is 1. */
  async shares(asked: Asked, answers: readonly string[], signal: AbortSignal): Promise<number[]> {
    const ids = await this.#tokens(asked, signal)
    this.#check(ids)
    const scores = await this.model.score(ids, answers, { addSpecial: false, signal })
    return sharesOf(scores.sort((one, other) => one.index - other.index))
  }

  #check({ length }: readonly number[]): void {
    if (length > this.quota) throw quotaExceeded(length, this.quota)
  }

  /** For templates without system messages, the instructions precede the text. */
  #messages({ told, text }: Asked): ChatMessage[] {
    return this.#template.info.supports.system
      ? [
          { role: 'system', content: told },
          { role: 'user', content: text },
        ]
      : [{ role: 'user', content: `${told}\n\n${text}` }]
  }

  async #tokens(asked: Asked, signal: AbortSignal): Promise<number[]> {
    const { think, now, variables } = this.#chat
    const prompt = await this.#template.renderAsync(this.#messages(asked), { ...variables, think: think && true, now }, { signal })
    const ids = await this.model.tokenize(prompt, { addSpecial: false })
    return [...(await beginningOf(this.model, ids)), ...ids]
  }
}
