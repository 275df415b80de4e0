// The finished example on the page's first screen. Its text is in index.html, from a stored result; once the bundled model has
// loaded, it answers the same question, and its answer replaces the stored one if they differ.
import type { Model } from 'heed'
import type { Passage } from 'heed/viewer'
import type { AnswerSource } from '../../lesson/answer-source.js'
import type { MeasuredHead } from '../../lesson/heads.js'
import { byId } from '../../support/dom.js'
import { Observable } from '../../support/observable.js'
import { nextTask } from '../../support/task.js'
import { write } from '../../conversation/answering.js'
import { Conversation } from '../../conversation/conversation.js'
import { type AnswerTurn, textOf, type Turn } from '../../conversation/turns.js'
import type { Part } from '../words/parts.js'
import { type Example, exampleOf, type Parts, wholeOf } from './example.js'

/** Shows the model's answer with all of its tokens, and the word that its head for answers found. */
interface ExampleViewer {
  showExample(turn: AnswerTurn, head: MeasuredHead): Promise<{ passage: Passage; source?: AnswerSource } | undefined>
  dropExample(): void
}

export class FirstExample {
  readonly #place = byId('example', HTMLElement)
  readonly #parts = Object.fromEntries(
    ['question', 'answer'].map(name => [name, [...this.#place.querySelectorAll<HTMLElement>(`[data-example=${name}] > *`)]]),
  )
  readonly #said = byId('example-said', HTMLSpanElement)
  /** The sentence about the marked word. */
  readonly #saying = [...this.#said.childNodes]
  #call = new AbortController()
  /** The model's answer, once the viewer shows it. */
  readonly confirmed = new Observable<AnswerTurn | undefined>(undefined)

  /** `ask` is called when the user wants to ask something of their own. */
  constructor(ask: () => void) {
    byId('example-ask', HTMLButtonElement).addEventListener('click', ask)
  }

  /** Withdraws the example for good: a question was asked, or another model is used. */
  withdraw(): void {
    this.#call.abort()
    this.#place.hidden = true
  }

  /** The model's answer to the question, as long as it is shown. */
  get turn(): AnswerTurn | undefined {
    return this.#place.hidden ? undefined : this.confirmed.value
  }

  /** Whether an element belongs to a text of the example that cannot be explored yet, because the model has not generated it. */
  isComing(element: Element): boolean {
    return !this.confirmed.value && element.closest('[data-example]') !== null
  }

  /** The elements of the example's turns, with their texts; undefined for any other turn. */
  partsOf(turn: Turn): readonly Part[] | undefined {
    const name = turn === this.turn ? 'answer' : turn === this.turn?.before ? 'question' : undefined
    return name && [{ element: this.#place.querySelector<HTMLElement>(`[data-example=${name}]`)!, raw: textOf(turn) }]
  }

  /** Replaces the example's own sentence by one about a word that the user has chosen; undefined removes that again. */
  tell(sentence: string | undefined): void {
    this.#place.classList.toggle('asked', sentence !== undefined)
    this.#said.replaceChildren(...(sentence === undefined ? this.#saying : [sentence, ' ']))
  }

  /** Stops the model's answer, if it is being generated; it can be requested again. */
  rest(): void {
    this.#call.abort()
  }

  /** Lets the model answer, and shows in the viewer what its head for answers found. Does nothing once the example is withdrawn. */
  async show(model: Model, head: MeasuredHead, inViewer: ExampleViewer): Promise<void> {
    if (this.#place.hidden) return
    const turn = await this.#answer(model)
    if (!turn?.before) return
    const found = await inViewer.showExample(turn, head)
    if (found?.source) {
      this.#replace(exampleOf(found.passage, textOf(turn.before), textOf(turn), found.source))
      this.confirmed.value = turn
    } else if (found) {
      this.withdraw() // the stored result does not hold
      inViewer.dropExample()
    }
  }

  /** The model's answer to the question; undefined if it was stopped or failed, which is not reported. */
  async #answer(model: Model): Promise<AnswerTurn | undefined> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    await nextTask() // first, the page shows that the model has loaded
    if (signal.aborted) return undefined
    const conversation = new Conversation()
    const turn = conversation.answer(conversation.say(wholeOf(this.#stored.question)), model)
    // At temperature 0, the seed is not used; passing it preserves the order of seeds of the user's own answers.
    await write(model, conversation, turn, { temperature: 0, seed: 0, maxTokens: 60 }, signal)
    return signal.aborted || turn.ending?.reason !== 'stop' || textOf(turn) === '' ? undefined : turn
  }

  /** Replaces the stored texts by the model's. */
  #replace(example: Example): void {
    if (JSON.stringify(example) === JSON.stringify(this.#stored)) return
    for (const [name, parts] of Object.entries<Parts>({ ...example })) {
      const texts = [parts.before, parts.word, parts.after]
      this.#parts[name]!.forEach((element, at) => {
        element.textContent = texts[at]!
      })
    }
    byId('example-word', HTMLElement).textContent = example.answer.word
  }

  get #stored(): Example {
    const [question, answer] = ['question', 'answer'].map(name => {
      const [before, word, after] = this.#parts[name]!.map(({ textContent }) => textContent ?? '')
      return { before: before!, word: word!, after: after! }
    })
    return { question: question!, answer: answer! }
  }
}
