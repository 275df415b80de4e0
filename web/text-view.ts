// The part of the page for text models: the prompt, its options, and the texts generated from it.
import { HeedError, type Model } from 'heed'
import type { HeedViewer, Passage } from 'heed/viewer'
import { PicturesInText } from './images/in-text.js'
import { withoutPicture } from './media/picture.js'
import type { Kind } from './model/kind.js'
import type { Source } from './model/slot.js'
import { addressesOf, type Linked, noLinkToFile } from './sharing/link.js'
import { select, selectedOf } from './sharing/select.js'
import { byId, isInDialog } from './support/dom.js'
import { clearNotices, explain, notify } from './support/notices.js'
import type { SetAside } from './support/set-aside.js'
import { beginningOf, withNext } from './versions/branch.js'
import { FilledVersions } from './versions/filled.js'
import { GoOn } from './versions/go-on.js'
import { Row } from './versions/row.js'
import type { Branch, Version } from './versions/version.js'
import { VersionAnnouncer } from './versions/version-announcer.js'
import { type InView, Versions } from './versions/versions.js'
import { VersionsInViewer } from './versions/versions-in-viewer.js'
import { type Prompt, PromptBox, promptsFor } from './writing/prompt.js'
import type { Sampling } from './writing/sampling.js'
import type { Order } from './writing/writer.js'

type TextKind = Exclude<Kind, 'sees' | 'hears'>

/** The prompt's label, and the hint shown before anything is generated. */
const words: Record<TextKind, { prompt: string; invitation: string }> = {
  writes: { prompt: 'Prompt', invitation: 'Press Write to continue this text.' },
  unmasks: {
    prompt: 'Prompt',
    invitation: 'Press Write: the text begins as masks, and fills in where the model is most certain first.',
  },
  answers: { prompt: 'Input text', invitation: 'Press Write for an answer.' },
  reads: { prompt: 'Text', invitation: 'This model only reads (an encoder): it turns text into numbers, and writes none.' },
}

/** The state of this room that a user returns to. */
export interface TextPlace {
  readonly prompt: string
  readonly texts: readonly Version[]
  readonly inView: InView
}

const isBranch = 'A link cannot reproduce a text that continues another one.'
const hasPictures = 'A link has no room for the pictures of a text.'

export class TextView {
  readonly versions = new Versions(error => this.#recover(error))
  readonly #viewer: HeedViewer
  readonly #reload: () => Promise<void>
  readonly #place = byId('compose', HTMLFormElement)
  readonly #texts = byId('texts', HTMLElement)
  readonly #outcome = byId('outcome', HTMLDivElement)
  readonly #writeButton = byId('write', HTMLButtonElement)
  readonly #oneSentence = byId('one-sentence', HTMLInputElement)
  readonly #sampling: Sampling
  readonly #prompt = new PromptBox(() => this.#read())
  readonly pictures = new PicturesInText(byId('prompt', HTMLTextAreaElement))
  readonly #announcer: VersionAnnouncer
  readonly #goOn: GoOn
  #kind: TextKind = 'writes'
  #needsPicture = false
  /** The prompt of the last link. */
  #linked?: string
  #model?: Model
  /** The text in view when the user switched to the chat; undefined while free text is open. The page starts in the chat. */
  #left?: { readonly version?: Version } = {}

  /** `reload` reloads a model that crashed. */
  constructor(viewer: HeedViewer, sampling: Sampling, reload: () => Promise<void>) {
    this.#viewer = viewer
    this.#sampling = sampling
    this.#reload = reload
    this.#prompt.offer(promptsFor('stories')) // those of the default model, before it has loaded
    new VersionsInViewer(viewer, this.versions)
    new Row(this.versions)
    new FilledVersions(this.versions)
    this.#goOn = new GoOn(viewer, this.versions, from => this.#branch(from))
    this.#announcer = new VersionAnnouncer(this.versions, seed => {
      this.#sampling.seed = seed
    })
    this.versions.inView.watch(({ current }) => {
      if (current) this.#prompt.leave()
      else this.#showPrompt()
    })
    this.#place.addEventListener('submit', event => {
      event.preventDefault()
      this.#write()
    })
    addEventListener('keydown', event => {
      const { current } = this.versions
      const partly = this.versions.partly.value
      if (event.key !== 'Escape' || !current || (current.outcome && !partly) || isInDialog(event)) return
      event.preventDefault() // so that Escape ends nothing else
      if (partly) partly.showAll()
      else current.stop()
    })
  }

  /** Switches to the viewer's model, and offers prompts that suit it. `needsPicture`: its texts mean nothing without an image. */
  use(model: Model, kind: TextKind, examples: readonly Prompt[], needsPicture = false): void {
    this.release()
    this.#model = model
    this.#kind = kind
    this.#needsPicture = needsPicture
    this.pictures.use(model)
    this.#writeButton.disabled = false
    byId('prompt-label', HTMLLabelElement).textContent = words[kind].prompt
    byId('writing', HTMLDivElement).hidden = byId('sampling-details', HTMLDetailsElement).hidden = kind === 'reads'
    this.#prompt.offer(examples)
    this.#show(!this.#left)
    this.#read()
  }

  /** Adds images to the prompt. */
  attach(files: readonly File[]): void {
    this.pictures.add(files)
  }

  /** Detaches the model and removes its texts. */
  release(): void {
    this.#model = undefined
    this.versions.clear()
    this.#announcer.say('')
  }

  /** Releases the viewer for another room. Texts stay, and generation continues. */
  rest(): void {
    if (this.#left) return
    this.#left = { version: this.versions.current }
    this.versions.leave()
    this.#show(false)
  }

  /** Returns to the text that was in view. */
  wake(): void {
    const left = this.#left
    if (!left) return
    this.#left = undefined
    this.#show(true)
    if (left.version && this.versions.list.value.includes(left.version)) this.versions.show(left.version)
    else this.#showPrompt()
  }

  #show(isShown: boolean): void {
    this.#place.hidden = this.#outcome.hidden = !isShown
    this.#texts.hidden = !isShown || this.#kind === 'reads'
    this.#goOn.offer(isShown && this.#kind === 'writes')
  }

  /** The page's state for a link, or the reason why there can be no link. `source` is the source of the model. */
  state(source: Source | undefined): Linked | string {
    const { kind, passage } = this.#viewer
    if (passage.parts) return hasPictures
    const addresses = addressesOf(source)
    if (!this.#model || !addresses) return noLinkToFile
    const { current } = this.versions
    if (current?.from) return isBranch
    return {
      ...addresses,
      prompt: passage.prompt,
      ...(current && writtenWith(current)),
      kind: this.#kind === 'answers' ? kind : undefined,
      ...selectedOf(this.#viewer),
    }
  }

  /** Prompts that were replaced. */
  get aside(): SetAside {
    return this.#prompt.aside
  }

  /** Whether a link has brought the prompt. */
  get isOfLink(): boolean {
    return this.#prompt.isOfLink
  }

  /** Shows the text of a link while its model is being loaded. */
  announce(prompt: string): void {
    this.#linked = prompt
    this.#prompt.follow(prompt)
  }

  /** The current state, to return to after a link. */
  get place(): TextPlace {
    return {
      prompt: this.#prompt.text,
      texts: this.versions.list.value,
      inView: this.#left ? { current: this.#left.version } : this.versions.inView.value,
    }
  }

  /** Returns to a state, even if another model has been used since. */
  comeBack({ prompt, texts, inView }: TextPlace): void {
    if (this.#prompt.text === this.#linked) {
      this.#prompt.text = prompt // unless the user has changed it since
      this.#prompt.aside.withdraw(prompt)
    }
    this.versions.bringBack(texts)
    const isThere = inView.current && this.versions.list.value.includes(inView.current)
    if (this.#left) this.#left = { version: inView.current }
    else if (isThere) this.versions.inView.value = inView
    else {
      this.versions.leave()
      this.#showPrompt()
    }
  }

  /**
   * Restores the state in a link. Its settings only apply to its text: the user's own stay. Resolves to whether its text is in
   * view: the user may have gone elsewhere while it was generated, and then nothing is selected.
   */
  async follow({ prompt, seed, settings, length, ...selected }: Linked): Promise<boolean> {
    this.announce(prompt)
    let done: Promise<void>
    if (seed === undefined) {
      this.versions.leave()
      done = this.#viewer.show(prompt)
    } else {
      const { options, oneSentence } = this.#order
      const order = {
        options: { ...options, ...settings, seed },
        oneSentence: length ? length === 'sentence' : oneSentence,
        isOfLink: true,
      }
      const known = this.versions.list.value.find(version => isOf(version, prompt, order))
      if (known) this.versions.show(known)
      done = known ? this.#viewer.settled() : this.#write(order)
    }
    const { current } = this.versions
    const model = this.#model
    await done
    if (this.#left || model !== this.#model || current !== this.versions.current) return false
    await select(this.#viewer, selected)
    return true
  }

  /** Shows the prompt's tokens when typing pauses, so that there is attention to see before anything is generated. */
  #read(): void {
    const { current } = this.versions
    if (!this.#model || this.#left || (current && !current.outcome) || this.#isShown(this.#asked)) return
    if (current) this.versions.leave()
    else this.#showPrompt()
  }

  /** Shows the prompt in the viewer if no text is in view. */
  #showPrompt(): void {
    if (!this.#model || this.#left) return
    const asked = this.#asked
    const hasPicture = asked.parts?.some(part => typeof part === 'object' && 'image' in part)
    this.#announcer.say(this.#needsPicture && !hasPicture ? withoutPicture : words[this.#kind].invitation)
    this.#viewer.show(asked)
  }

  /** Generates a text, in parallel with any others. Resolves when it is complete. */
  async #write(order = this.#order): Promise<void> {
    const model = this.#model
    if (!model || this.#kind === 'reads' || !this.#sampling.check()) return
    const asked = this.#asked
    clearNotices()
    // If the prompt is unchanged, its tokens are reused.
    await this.versions.write(model, this.#isShown(asked) ? { ...this.#viewer.passage, written: [] } : asked, order)
  }

  /** Generates another version, which continues from a token of an existing one with a new seed. */
  async #branch(from: Branch): Promise<void> {
    const model = this.#model
    if (!model || !this.#sampling.check()) return
    clearNotices()
    const beginning = await beginningOf(model, from.version.passage.value, from.length)
    const { options, ...rest } = this.#order
    if (model === this.#model)
      await this.versions.write(
        model,
        from.next ? withNext(beginning, from.next) : beginning,
        { ...rest, options: { ...options, seed: undefined } },
        from,
      )
  }

  /** The prompt as the model reads it. */
  get #asked(): Passage {
    return { ...this.pictures.readIn(this.#prompt.text), written: [] }
  }

  /** Whether the viewer shows a text with this prompt. */
  #isShown({ prompt, parts }: Passage): boolean {
    const { passage } = this.#viewer
    return passage.prompt === prompt && (passage.parts !== undefined) === (parts !== undefined)
  }

  get #order(): Order {
    return { options: this.#sampling.options, oneSentence: this.#oneSentence.checked }
  }

  /** Reports an error, after reloading the model if it crashed. */
  async #recover(error: unknown): Promise<void> {
    if (error instanceof HeedError && error.code === 'crashed') {
      this.release()
      await this.#reload()
    }
    notify(explain('The model', error))
  }
}

/** Whether a text equals the result of an order with a seed. */
function isOf({ passage, order, outcome, from }: Version, prompt: string, { options, oneSentence }: Order): boolean {
  const own: Record<string, unknown> = { ...order.options, seed: outcome?.seed }
  return (
    !from &&
    passage.value.prompt === prompt &&
    order.oneSentence === oneSentence &&
    Object.entries(options).every(([name, value]) => own[name] === value)
  )
}

/** The settings that a text was generated with; empty until it is complete. */
function writtenWith({ outcome, order }: Version): Pick<Linked, 'seed' | 'settings' | 'length'> {
  if (!outcome) return {}
  const { seed: _, ...settings } = order.options
  return { seed: outcome.seed, settings: settings as Linked['settings'], length: order.oneSentence ? 'sentence' : 'text' }
}
