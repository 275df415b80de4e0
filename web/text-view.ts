// The part of the page for models of texts: a prompt, how to write on from it, and what came of it.
import { HeedError, type Model } from 'heed'
import type { HeedViewer } from 'heed/viewer'
import type { Kind } from './model/kind.js'
import type { Linked } from './sharing/link.js'
import { byId } from './support/dom.js'
import { clearNotices, explain, notify } from './support/notices.js'
import { Announcer } from './writing/announcer.js'
import { outcomeInWords, showOutcome, showPace } from './writing/figures.js'
import { type Prompt, PromptBox, promptsFor } from './writing/prompt.js'
import { Sampling } from './writing/sampling.js'
import { Writer } from './writing/writer.js'

type TextKind = Exclude<Kind, 'sees'>

/** What a prompt is called, and what comes of it. */
const words: Record<TextKind, { prompt: string, invitation: string }> = {
  writes: { prompt: 'Prompt', invitation: 'Press Write, and the model goes on from here.' },
  answers: { prompt: 'Text to answer', invitation: 'Press Write, and the model answers.' },
  reads: { prompt: 'Text to read', invitation: 'This model reads: it makes vectors of texts, and writes none.' },
}

export class TextView {
  readonly #viewer: HeedViewer
  readonly #reload: () => Promise<void>
  readonly #place = byId('compose', HTMLFormElement)
  readonly #outcome = byId('outcome', HTMLDivElement)
  readonly #writeButton = byId('write', HTMLButtonElement)
  readonly #stopButton = byId('stop', HTMLButtonElement)
  readonly #figures = byId('figures', HTMLParagraphElement)
  readonly #oneSentence = byId('one-sentence', HTMLInputElement)
  readonly #writer: Writer
  readonly #sampling = new Sampling()
  readonly #announcer = new Announcer(byId('announcer', HTMLDivElement))
  readonly #prompt = new PromptBox(() => this.#read())
  #kind: TextKind = 'writes'
  #model?: Model
  /** What the text shown was written with. */
  #written: Pick<Linked, 'seed' | 'settings' | 'length'> = {}

  /** `reload` loads a model that broke down again. */
  constructor(viewer: HeedViewer, reload: () => Promise<void>) {
    this.#viewer = viewer
    this.#reload = reload
    this.#writer = new Writer(viewer)
    this.#prompt.offer(promptsFor('stories'))  // those of the model that comes first, before it is there
    this.#writer.writing.watch(writing => this.#showWriting(writing))
    this.#place.addEventListener('submit', event => {
      event.preventDefault()
      this.#write()
    })
    this.#stopButton.addEventListener('click', () => this.#writer.stop())
    addEventListener('keydown', event => {
      if (event.key === 'Escape') this.#writer.stop()
    })
  }

  /** Turns to the viewer's model, and to prompts that suit it. */
  use(model: Model, kind: TextKind, examples: readonly Prompt[]): void {
    this.#leave()
    this.#model = model
    this.#kind = kind
    this.#place.hidden = this.#outcome.hidden = false
    this.#writeButton.disabled = false
    byId('prompt-label', HTMLLabelElement).textContent = words[kind].prompt
    byId('writing', HTMLDivElement).hidden = byId('sampling-details', HTMLDetailsElement).hidden = kind === 'reads'
    this.#prompt.offer(examples)
    this.#read()
  }

  hide(): void {
    this.#leave()
    this.#place.hidden = this.#outcome.hidden = true
  }

  /** What of the page a link would have to say; `source` is where the model is from. */
  state(source: unknown): Linked | undefined {
    if (!this.#model || source !== undefined && typeof source !== 'string') return undefined
    const { layer, head, kind, token, passage } = this.#viewer
    return {
      model: source, prompt: passage.prompt, ...passage.written.length > 0 ? this.#written : {},
      kind: this.#kind === 'answers' ? kind : undefined, layer, head, token,
    }
  }

  /** Shows what a link leads to. */
  async follow({ prompt, seed, settings, length, layer, head, kind, token }: Linked): Promise<void> {
    this.#prompt.text = prompt
    if (settings) this.#sampling.set(settings)
    if (length) byId(length === 'sentence' ? 'one-sentence' : 'whole-text', HTMLInputElement).checked = true
    if (seed === undefined) await this.#viewer.show(prompt)
    else {
      this.#sampling.seed = seed
      await this.#write()
    }
    try {
      if (kind !== undefined) this.#viewer.kind = kind
      if (layer !== undefined) this.#viewer.layer = layer
      if (head !== undefined) this.#viewer.head = head
      await this.#viewer.settled()
      this.#viewer.token = token
    } catch (error) {
      notify(`The link does not fit this model: ${(error as Error).message}.`)
    }
  }

  /** Lets go of the model: there is another, or a picture. */
  #leave(): void {
    this.#model = undefined
    this.#writer.stop()
    this.#figures.replaceChildren()
  }

  /** Takes the prompt apart as soon as it rests: there is something to look at before anything is written. */
  #read(): void {
    const { text } = this.#prompt
    if (!this.#model || this.#writer.writing.value || text === this.#viewer.passage.prompt) return
    this.#figures.replaceChildren(words[this.#kind].invitation)
    this.#viewer.show(text)
  }

  async #write(): Promise<void> {
    const model = this.#model
    if (!model?.info.generates || this.#writer.writing.value || !this.#sampling.check()) return
    const { text } = this.#prompt
    const { options, settings } = this.#sampling
    const length = this.#oneSentence.checked ? 'sentence' : 'text'
    clearNotices()
    this.#figures.replaceChildren('Reading the prompt…')
    this.#announcer.start()
    try {
      const outcome = await this.#writer.write(text, options, length === 'sentence', (token, pace) => {
        this.#announcer.add(token.text)
        showPace(this.#figures, pace)
      })
      if (model !== this.#model) return
      this.#written = { seed: outcome.seed, settings, length }
      this.#announcer.end()
      this.#announcer.say(outcomeInWords(outcome))
      const keepSeed = () => { this.#sampling.seed = outcome.seed }
      showOutcome(this.#figures, outcome, options.seed === undefined ? keepSeed : undefined)
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
    if (focused) (writing ? this.#stopButton : this.#writeButton).focus()
  }
}
