// The prompt box: examples to start from, keyboard shortcuts, and a callback when typing pauses.
import { byId, make } from '../support/dom.js'
import { opensKeyboard } from '../support/keyboard.js'
import { SetAside, textBox } from '../support/set-aside.js'

const restMs = 300

/** A prompt to try, with a short name if it is long. */
export type Prompt = readonly [prompt: string, name?: string]

const prompts = {
  /** For the bundled model, which understands requests for stories. */
  stories: [
    ['Write a story about a fox and a lantern.', 'a fox and a lantern'],
    ['Write a bedtime story about a whale and a bell.', 'a whale and a bell'],
    ['Write a funny story about a king and a spoon.', 'a king and a spoon'],
    ['Write a story about a robot and a flower.', 'a robot and a flower'],
  ],
  /** For the bundled model in a conversation. */
  conversations: [
    ['Write a story about a fox and a lantern.'],
    ['A whale named Zed hid a bell in a cave. Who hid the bell?'],
    ['What can you do?'],
  ],
  /** For other models that chat. */
  chats: [['Write a haiku about the sea.'], ['Why is the sky blue?'], ['Name three uses for a paper clip.']],
  /** For other models that continue text: beginnings to continue. */
  writes: [['Once upon a time'], ['The best way to learn to swim is'], ['Dear friend, you will not believe what']],
  /** For models that write by unmasking. */
  unmasks: [['Write a haiku about the sea.'], ['Once upon a time'], ['Three uses for a paper clip:']],
  /** For models that answer: tasks that T5 was trained on. */
  answers: [
    ['translate English to German: The house is wonderful.', 'a translation'],
    ['summarize: The fox found a lantern in the snow. It carried it home, and nobody was afraid of the dark again.', 'a summary'],
  ],
  /** For models that only read: words whose meaning depends on context. */
  reads: [['The cat sat down because it was tired.'], ['The bank raised its rates.'], ['We sat on the bank of the river.']],
} satisfies Record<string, readonly Prompt[]>

/** Suggestions for starting a conversation: messages, and addresses of images to ask about. */
export interface ToStart {
  readonly prompts: readonly Prompt[]
  readonly pictures: readonly string[]
  /** Whether the model's answer means nothing without an image. */
  readonly needsPicture?: boolean
}

/** Prompts that suit a kind of model, or the bundled one. */
export const promptsFor = (kind: keyof typeof prompts): readonly Prompt[] => prompts[kind]

export class PromptBox {
  readonly #box = byId('prompt', HTMLTextAreaElement)
  readonly #examples = byId('examples', HTMLDivElement)
  /** All examples offered so far, for any model. */
  readonly #offered = new Set<string>()
  /** All texts that links have brought. */
  readonly #linked = new Set<string>()
  /** Prompts of the user that the page has replaced. */
  readonly aside = new SetAside(
    textBox(this.#box, text => text !== this.#box.defaultValue && !this.#offered.has(text) && !this.#linked.has(text)),
    'text',
  )

  #timer = 0

  constructor(onRest: () => void) {
    this.#box.addEventListener('input', () => {
      this.#hideExampleInUse()
      this.leave()
      this.#timer = window.setTimeout(onRest, restMs)
    })
    this.#box.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey) return
      event.preventDefault()
      if (!event.repeat) this.#box.form!.requestSubmit()
    })
  }

  /** Cancels the pending callback, when the user has moved on to something else. */
  leave(): void {
    clearTimeout(this.#timer)
  }

  get text(): string {
    return this.#box.value
  }

  /** Sets the text without triggering the callback. */
  set text(text: string) {
    this.#box.value = text
    this.#box.dispatchEvent(new Event('change')) // notifies listeners
    this.#hideExampleInUse()
  }

  /** Shows the text of a link, and sets the user's own aside. */
  follow(text: string): void {
    if (text !== this.text) this.#linked.add(text) // otherwise, it may be the user's own
    this.aside.makeWay(text)
    this.text = text
  }

  /** Whether a link has brought the text. */
  get isOfLink(): boolean {
    return this.#linked.has(this.text)
  }

  /** Offers prompts that suit the model. If the box still contains an example for another model, replaces it. */
  offer(examples: readonly Prompt[]): void {
    const isOther = this.#offered.has(this.text) && !examples.some(([prompt]) => prompt === this.text)
    if (isOther) this.#use(examples[0]![0])
    for (const [prompt] of examples) this.#offered.add(prompt)
    this.#examples.replaceChildren(
      ...examples.map(([prompt, name = prompt]) => {
        const button = make('button', { type: 'button', className: 'example', title: prompt, value: prompt }, name)
        button.addEventListener('click', () => this.#use(prompt))
        return button
      }),
    )
    this.#hideExampleInUse()
  }

  #hideExampleInUse(): void {
    const focused = document.activeElement
    for (const button of this.#examples.children) {
      if (button instanceof HTMLButtonElement) button.hidden = button.value === this.text
    }
    if (!(focused instanceof HTMLButtonElement) || !focused.hidden || !this.#examples.contains(focused)) return
    const next = this.#examples.querySelector<HTMLButtonElement>('button:not([hidden])')
    ;(opensKeyboard() && next ? next : this.#box).focus()
  }

  #use(text: string): void {
    this.aside.makeWay(text)
    this.#box.value = text
    this.#box.dispatchEvent(new Event('input'))
  }
}
