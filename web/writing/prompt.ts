// The prompt box: examples to start from, keys, and a word when its text has come to rest.
import { byId, make } from '../support/dom.js'

const restMs = 300

const prompts = {
  /** For the model that comes with the package, which knows how to be asked. */
  stories: [
    'Write a story about a fox and a lantern.',
    'Write a bedtime story about a whale and a bell.',
    'Write a funny story about a king and a spoon.',
    'Write a story about a robot and a flower.',
  ],
  /** For others that write: a beginning to go on from. */
  writes: [
    'Once upon a time',
    'The best way to learn to swim is',
    'Dear friend, you will not believe what',
  ],
  /** For those that answer: what T5 was trained on. */
  answers: [
    'translate English to German: The house is wonderful.',
    'summarize: The fox found a lantern in the snow. It carried it home, and nobody was afraid of the dark again.',
  ],
  /** For those that only read: words whose meaning depends on others. */
  reads: [
    'The cat sat down because it was tired.',
    'The bank raised its rates.',
    'We sat on the bank of the river.',
  ],
}

export type Examples = keyof typeof prompts

export class PromptBox {
  readonly #box = byId('prompt', HTMLTextAreaElement)
  readonly #examples = byId('examples', HTMLDivElement)

  constructor(onRest: () => void) {
    let timer = 0
    this.#box.addEventListener('input', () => {
      this.#hideExampleInUse()
      clearTimeout(timer)
      timer = window.setTimeout(onRest, restMs)
    })
    this.#box.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
      event.preventDefault()
      this.#box.form!.requestSubmit()
    })
  }

  get text(): string {
    return this.#box.value
  }

  /** Offers prompts that suit the model. One of another kind that is still in the box gives way. */
  offer(kind: Examples): void {
    const examples = prompts[kind]
    const isOther = Object.values(prompts).flat().includes(this.text) && !examples.includes(this.text)
    if (isOther) this.#use(examples[0]!)
    this.#examples.replaceChildren(...examples.map(example => {
      const button = make('button', { type: 'button', className: 'example' }, example)
      button.addEventListener('click', () => this.#use(example))
      return button
    }))
    this.#hideExampleInUse()
  }

  #hideExampleInUse(): void {
    for (const button of this.#examples.children) {
      if (button instanceof HTMLElement) button.hidden = button.textContent === this.text
    }
  }

  #use(text: string): void {
    this.#box.value = text
    this.#box.dispatchEvent(new Event('input'))
  }
}
