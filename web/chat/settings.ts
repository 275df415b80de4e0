// The settings of the conversation in view: system message, tools, reasoning, constraint, sampling. Prompts depend on them, and
// they are saved with it.
import type { ChatOptions, Model } from 'heed'
import type { Conversation } from '../conversation/conversation.js'
import type { Asking } from '../conversation/prompts.js'
import type { Circumstances } from '../keeping/record.js'
import type { LinkedChat } from '../sharing/chat-link.js'
import { byId } from '../support/dom.js'
import { foreign } from '../support/format.js'
import type { Sampling } from '../writing/sampling.js'
import { Form } from './form.js'
import { ToolList } from './tool-list.js'

export class Settings {
  readonly #conversation: Conversation
  readonly #sampling: Sampling
  readonly #system = byId('system-message', HTMLTextAreaElement)
  readonly #more = byId('chat-more', HTMLDetailsElement).querySelector('summary')!
  readonly #title = this.#more.textContent
  readonly #think = byId('think', HTMLSelectElement)
  readonly #thinkChoice = byId('think-choice', HTMLLabelElement)
  readonly #tools: ToolList
  readonly #form: Form

  #isShowing = false

  /**
   * `changed` is called when a setting changes that prompts depend on, `kept` when any other saved setting changes, and `adopted`
   * when free text changes the sampling settings, which it shares.
   */
  constructor(conversation: Conversation, sampling: Sampling, changed: () => void, kept: () => void, adopted: () => void) {
    this.#conversation = conversation
    this.#sampling = sampling
    this.#tools = new ToolList(changed)
    this.#form = new Form(changed)
    this.#system.addEventListener('input', () => {
      conversation.system = this.#system.value
      this.#mark()
      changed()
    })
    this.#think.addEventListener('change', changed)
    const room = byId('chat', HTMLElement)
    const initial = sampling.changes.value
    sampling.changes.watch(changes => {
      if (changes === initial || this.#isShowing) return
      if (room.hidden) adopted()
      else kept()
    })
  }

  /** Shows whether there is a system message, on the summary, which stays visible when folded up. */
  #mark(): void {
    const isOn = this.#system.value.trim() !== ''
    this.#more.textContent = isOn ? `${this.#title}: system message` : this.#title
    this.#more.classList.toggle('on', isOn)
  }

  /** Switches to a model; `offer` then reports what its template supports. */
  use(model: Model | undefined): void {
    this.#form.use(model)
  }

  /** Offers the settings that the model's template supports. */
  offer({ info }: Model, supports: { readonly tools: boolean; readonly think: boolean }): void {
    this.#tools.use(foreign(info.name || 'This model'), supports.tools)
    this.#thinkChoice.hidden = !supports.think
  }

  /** Takes the focus, in one of the panels. */
  focus(panel: 'system' | 'form'): void {
    if (panel === 'system') this.#system.focus()
    else this.#form.focus()
  }

  /** Resolves to whether answers can satisfy the settings; if not, says why beside the wrong setting. */
  check(): Promise<boolean> {
    return this.#form.check()
  }

  /** The options that the prompt depends on, besides the conversation. */
  get asking(): Asking & Pick<ChatOptions, 'think' | 'tools'> {
    const think = this.#thinkChoice.hidden ? 'auto' : this.#think.value
    const isFree = this.#form.option.jsonSchema === undefined // a constrained answer calls no tools
    const tools = isFree ? this.#tools.lent : []
    return { tools, ...(think !== 'auto' && { think: think === 'on' }) }
  }

  /** The options of an answer; only the first answer to a message uses the seed that is set. */
  answering(isFirst: boolean): ChatOptions {
    const { seed, ...settings } = this.#sampling.options
    return { ...settings, ...this.asking, ...this.#form.option, ...(isFirst && { seed }) }
  }

  /** The settings as they are saved with a conversation. */
  get circumstances(): Circumstances {
    return {
      tools: this.#tools.chosen,
      think: this.#think.value,
      form: this.#form.chosen,
      sampling: this.#sampling.known,
    }
  }

  /** The schema of answers for a link; undefined for any text. */
  get format(): string | undefined {
    return this.#form.linked
  }

  /** A link's conversation is read as it was sent: only its messages, with the format of its answers. */
  shareOnly({ format }: Pick<LinkedChat, 'format'>): void {
    this.#tools.chosen = []
    this.#think.value = 'auto'
    this.#form.linked = format
  }

  /** Shows the settings of a conversation that has come into view. */
  show(circumstances?: Circumstances): void {
    this.#system.value = this.#conversation.system
    this.#mark()
    if (!circumstances) return
    this.#isShowing = true
    const { tools, think, form, sampling } = circumstances
    this.#tools.chosen = tools
    this.#think.value = think
    this.#form.chosen = form
    const { seed, ...settings } = sampling
    this.#sampling.reset()
    this.#sampling.set(settings)
    if (seed !== undefined) this.#sampling.seed = seed
    this.#isShowing = false
  }
}
