// What is set for the conversation in view: the system message, tools, reasoning, a form, sampling. Prompts depend on it, and it is kept.
import type { ChatOptions, Model } from 'heed'
import type { Conversation } from '../conversation/conversation.js'
import type { Asking } from '../conversation/prompts.js'
import type { Circumstances } from '../keeping/record.js'
import { byId } from '../support/dom.js'
import { foreign } from '../support/format.js'
import type { Sampling } from '../writing/sampling.js'
import { Form } from './form.js'
import { ToolList } from './tool-list.js'

export class Settings {
  readonly #conversation: Conversation
  readonly #sampling: Sampling
  readonly #system = byId('system-message', HTMLTextAreaElement)
  readonly #think = byId('think', HTMLSelectElement)
  readonly #thinkChoice = byId('think-choice', HTMLLabelElement)
  readonly #tools: ToolList
  readonly #form: Form

  /** `changed` is called when something is set that prompts depend on, `kept` when something else is that is kept. */
  constructor(conversation: Conversation, sampling: Sampling, changed: () => void, kept: () => void) {
    this.#conversation = conversation
    this.#sampling = sampling
    this.#tools = new ToolList(changed)
    this.#form = new Form(changed)
    this.#system.addEventListener('input', () => {
      conversation.system = this.#system.value
      changed()
    })
    this.#think.addEventListener('change', changed)
    byId('sampling-details', HTMLDetailsElement).addEventListener('change', kept)
  }

  /** Switches to a model; what its template has a place for is said by `offer`. */
  use(model: Model | undefined): void {
    this.#form.use(model)
  }

  /** Offers what the template of a model has a place for. */
  offer({ info }: Model, supports: { readonly tools: boolean; readonly think: boolean }): void {
    this.#tools.use(foreign(info.name || 'This model'), supports.tools)
    this.#thinkChoice.hidden = !supports.think
  }

  /** Takes the focus, in one of the panels. */
  focus(panel: 'system' | 'form'): void {
    if (panel === 'system') this.#system.focus()
    else this.#form.focus()
  }

  /** The options that the prompt depends on, besides the conversation. */
  get asking(): Asking & Pick<ChatOptions, 'think' | 'tools'> {
    const think = this.#thinkChoice.hidden ? 'auto' : this.#think.value
    const isFree = this.#form.option.jsonSchema === undefined // an answer in a form calls no tools
    const tools = isFree ? this.#tools.lent : []
    return { tools, ...(think !== 'auto' && { think: think === 'on' }) }
  }

  /** The options of an answer; only the first one to a message has the seed that is set. */
  answering(isFirst: boolean): ChatOptions {
    const { seed, ...settings } = this.#sampling.options
    return { ...settings, ...this.asking, ...this.#form.option, ...(isFirst && { seed }) }
  }

  /** The same as it is kept. */
  get circumstances(): Circumstances {
    return {
      tools: this.#tools.chosen,
      think: this.#think.value,
      form: this.#form.chosen,
      sampling: { ...this.#sampling.options } as Record<string, number>,
    }
  }

  /** A link's conversation is read as it was sent: with its messages alone. */
  shareNothing(): void {
    this.#tools.chosen = []
    this.#think.value = 'auto'
  }

  /** Shows what is set for a conversation that has come into view. */
  show(circumstances?: Circumstances): void {
    this.#system.value = this.#conversation.system
    if (!circumstances) return
    const { tools, think, form, sampling } = circumstances
    this.#tools.chosen = tools
    this.#think.value = think
    this.#form.chosen = form
    const { seed, ...settings } = sampling
    this.#sampling.reset()
    this.#sampling.set(settings)
    if (seed !== undefined) this.#sampling.seed = seed
  }
}
