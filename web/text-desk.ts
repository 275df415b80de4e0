// The desk for models of texts: a prompt, the text that the model writes, and what it attends to on the way.
import { HeedError, type Model } from 'heed'
import type { HeadChoice } from './attention/heads.js'
import { Inspection } from './inspection.js'
import type { Kind } from './model/kind.js'
import { byId } from './support/dom.js'
import { clearNotices, explain, notify } from './support/notices.js'
import { Announcer } from './writing/announcer.js'
import { outcomeInWords, showOutcome, showPace } from './writing/figures.js'
import { type Examples, PromptBox } from './writing/prompt.js'
import { Sampling } from './writing/sampling.js'
import { Writer } from './writing/writer.js'

/** What a prompt is called, and what comes of it. */
const words: Record<Exclude<Kind, 'sees'>, { prompt: string, invitation: string }> = {
  writes: { prompt: 'Prompt', invitation: 'Press Write, and the model goes on from here.' },
  answers: { prompt: 'Text to answer', invitation: 'Press Write, and the model answers.' },
  reads: { prompt: 'Text to read', invitation: 'This model reads: it makes vectors of texts, and writes none.' },
}

export class TextDesk {
  readonly inspection: Inspection
  readonly #reload: () => Promise<void>
  readonly #place = byId('text-desk', HTMLDivElement)
  readonly #writeButton = byId('write', HTMLButtonElement)
  readonly #stopButton = byId('stop', HTMLButtonElement)
  readonly #figures = byId('figures', HTMLParagraphElement)
  readonly #writer = new Writer()
  readonly #sampling = new Sampling()
  readonly #announcer = new Announcer(byId('announcer', HTMLDivElement))
  readonly #prompt = new PromptBox(() => this.#read())
  #kind: Exclude<Kind, 'sees'> = 'writes'
  #model?: Model

  /** `reload` loads a model that broke down again. */
  constructor(choice: HeadChoice, reload: () => Promise<void>) {
    this.#reload = reload
    this.inspection = new Inspection(choice, error => notify(explain('The model', error)))
    this.#writer.writing.watch(writing => this.#showWriting(writing))
    byId('compose', HTMLFormElement).addEventListener('submit', event => {
      event.preventDefault()
      this.#write()
    })
    this.#stopButton.addEventListener('click', () => this.#writer.stop())
    addEventListener('keydown', event => {
      if (event.key === 'Escape') this.#writer.stop()
    })
  }

  /** Turns to a model, and to prompts that suit it. */
  use(model: Model, kind: Exclude<Kind, 'sees'>, examples: Examples): void {
    this.leave()
    this.#model = model
    this.#kind = kind
    this.#place.hidden = byId('card', HTMLElement).hidden = byId('map', HTMLElement).hidden = false
    this.#writeButton.disabled = false
    byId('prompt-label', HTMLLabelElement).textContent = words[kind].prompt
    byId('writing', HTMLDivElement).hidden = byId('sampling-details', HTMLDetailsElement).hidden = kind === 'reads'
    this.inspection.use(model, kind)
    this.#prompt.offer(examples)
    this.#read()
  }

  /** Lets go of the model: there is another, or another desk. */
  leave(): void {
    this.#model = undefined
    this.#writer.stop()
    this.#figures.replaceChildren()
    this.inspection.leave()
  }

  hide(): void {
    this.leave()
    this.#place.hidden = byId('card', HTMLElement).hidden = byId('map', HTMLElement).hidden = true
  }

  /** Takes the prompt apart as soon as it rests: there is something to look at before anything is written. */
  #read(): void {
    const { text } = this.#prompt
    if (!this.#model || this.#writer.writing.value || text === this.inspection.passage.prompt) return
    this.#figures.replaceChildren(words[this.#kind].invitation)
    this.inspection.show({ prompt: text, written: [] })
    this.inspection.inspect()
  }

  async #write(): Promise<void> {
    const model = this.#model
    if (!model?.info.generates || this.#writer.writing.value || !this.#sampling.check()) return
    const { text } = this.#prompt
    const { options } = this.#sampling
    clearNotices()
    this.#figures.replaceChildren('Reading the prompt…')
    this.inspection.begin(text)
    this.#announcer.start()
    try {
      const outcome = await this.#writer.write(model, text, options, ({ alternatives = [], ...token }, pace) => {
        this.inspection.append({ ...token, alternatives })
        this.#announcer.add(token.text)
        showPace(this.#figures, pace)
      })
      if (model !== this.#model) return
      this.#announcer.end()
      this.#announcer.say(outcomeInWords(outcome))
      const keepSeed = () => { this.#sampling.seed = outcome.seed }
      showOutcome(this.#figures, outcome, options.seed === undefined ? keepSeed : undefined)
      this.inspection.inspectWritten()
    } catch (error) {
      if (model === this.#model) await this.#recover(error)
    } finally {
      if (model !== this.#model) this.#read()  // another model came while this one wrote
    }
  }

  /** A model that broke down while it wrote is loaded again; any other error is only told. */
  async #recover(error: unknown): Promise<void> {
    this.#figures.replaceChildren()
    if (error instanceof HeedError && error.code === 'crashed') await this.#reload()
    notify(explain('The model', error))
  }

  #showWriting(writing: boolean): void {
    const focused = document.activeElement === this.#writeButton || document.activeElement === this.#stopButton
    this.#writeButton.hidden = writing
    this.#stopButton.hidden = !writing
    byId('passage', HTMLDivElement).classList.toggle('writing', writing)
    if (focused) (writing ? this.#stopButton : this.#writeButton).focus()
  }
}
