// The prompt box: examples to start from, keys, and a word when its text has come to rest.
import { byId, make } from '../support/dom.js'

const restMs = 300

/** A prompt to try, and a short name for it where it is long. */
export type Prompt = readonly [prompt: string, name?: string]

const prompts = {
  /** For the model that comes with the package, which knows how to be asked. */
  stories: [
    ['Write a story about a fox and a lantern.', 'a fox and a lantern'],
    ['Write a bedtime story about a whale and a bell.', 'a whale and a bell'],
    ['Write a funny story about a king and a spoon.', 'a king and a spoon'],
    ['Write a story about a robot and a flower.', 'a robot and a flower'],
  ],
  /** For others that chat. */
  chats: [
    ['Write a haiku about the sea.'],
    ['Why is the sky blue?'],
    ['Name three things that one can do with a paper clip.'],
  ],
  /** For others that write: a beginning to go on from. */
  writes: [
    ['Once upon a time'],
    ['The best way to learn to swim is'],
    ['Dear friend, you will not believe what'],
  ],
  /** For those that answer: what T5 was trained on. */
  answers: [
    ['translate English to German: The house is wonderful.', 'a translation'],
    ['summarize: The fox found a lantern in the snow. It carried it home, and nobody was afraid of the dark again.', 'a summary'],
  ],
  /** For those that only read: words whose meaning depends on others. */
  reads: [
    ['The cat sat down because it was tired.'],
    ['The bank raised its rates.'],
    ['We sat on the bank of the river.'],
  ],
} satisfies Record<string, readonly Prompt[]>

/** Prompts that suit a kind of model, or the one that comes with the package. */
export const promptsFor = (kind: keyof typeof prompts): readonly Prompt[] => prompts[kind]

export class PromptBox {
  readonly #box = byId('prompt', HTMLTextAreaElement)
  readonly #examples = byId('examples', HTMLDivElement)
  /** All that was ever offered, here or for another model. */
  readonly #offered = new Set<string>()

  #timer = 0

  constructor(onRest: () => void) {
    this.#box.addEventListener('input', () => {
      this.#hideExampleInUse()
      this.leave()
      this.#timer = window.setTimeout(onRest, restMs)
    })
    this.#box.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      if (!event.repeat) this.#box.form!.requestSubmit()
    })
  }

  /** The reader turned to something else: that its text rests is no news any more. */
  leave(): void {
    clearTimeout(this.#timer)
  }

  get text(): string {
    return this.#box.value
  }

  /** Puts a text into the box, without waiting for it to come to rest. */
  set text(text: string) {
    this.#box.value = text
    this.#hideExampleInUse()
  }

  /** Offers prompts that suit the model. One for another model that is still in the box gives way. */
  offer(examples: readonly Prompt[]): void {
    const isOther = this.#offered.has(this.text) && !examples.some(([prompt]) => prompt === this.text)
    if (isOther) this.#use(examples[0]![0])
    for (const [prompt] of examples) this.#offered.add(prompt)
    this.#examples.replaceChildren(...examples.map(([prompt, name = prompt]) => {
      const button = make('button', { type: 'button', className: 'example', title: prompt, value: prompt }, name)
      button.addEventListener('click', () => this.#use(prompt))
      return button
    }))
    this.#hideExampleInUse()
  }

  #hideExampleInUse(): void {
    for (const button of this.#examples.children) {
      if (button instanceof HTMLButtonElement) button.hidden = button.value === this.text
    }
  }

  #use(text: string): void {
    this.#box.value = text
    this.#box.dispatchEvent(new Event('input'))
  }
}
