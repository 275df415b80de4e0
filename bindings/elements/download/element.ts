// <heed-download>: how far a model is loaded. This file is the element's public API.
import type { LoadProgress } from 'heed'
import { Base, make, part, sheetOf } from '../support/dom.js'
import { type Labels, labelsWith, standard } from '../support/labels.js'
import theme from '../support/theme.css?inline'
import css from './download.css?inline'
import { inWords, Rate } from './words.js'

/**
 * A bar that says what is being loaded, how many bytes are there, how fast they come and how long it still takes. It shows nothing until it
 * has a progress. `name` is an attribute, too. Parts: `what`, `bar`, `pace`.
 *
 * @example
 * const download = document.querySelector('heed-download')
 * const model = await loadModel('/model.gguf', { onProgress: download.report })
 * download.progress = undefined
 */
export class HeedDownload extends Base {
  static readonly observedAttributes = ['name']
  readonly #what = part('what', make('p'))
  readonly #bar = part('bar', make('progress', { max: 1 }))
  readonly #pace = part('pace', make('p', { className: 'pace' }))
  readonly #all = make('div', { hidden: true }, this.#what, this.#bar, this.#pace)
  #rate = new Rate()
  #progress?: LoadProgress
  #labels = standard

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheetOf(theme), sheetOf(css)]
    root.append(this.#all)
  }

  /** What is loaded, such as the model's name. */
  get name(): string {
    return this.getAttribute('name') ?? ''
  }
  set name(name: string) {
    this.setAttribute('name', name)
  }

  /** As `loadModel` reports it; undefined hides the bar. */
  get progress(): LoadProgress | undefined {
    return this.#progress
  }
  set progress(progress: LoadProgress | undefined) {
    if (!progress) this.#rate = new Rate()
    this.#progress = progress
    this.#show()
  }

  /** Sets `progress`; for `onProgress` of `loadModel`. */
  readonly report = (progress: LoadProgress): void => {
    this.progress = progress
  }

  /** Words in place of the English ones. Throws a TypeError for names that there are not. */
  get labels(): Labels {
    return this.#labels
  }
  set labels(labels: Partial<Labels>) {
    this.#labels = labelsWith(labels)
    this.#show()
  }

  attributeChangedCallback(): void {
    this.#show()
  }

  #show(): void {
    const progress = this.#progress
    this.#all.hidden = !progress
    if (!progress) return
    const { what, pace, share } = inWords(progress, this.#rate.at(progress), this.name, this.#labels)
    this.#what.textContent = what
    this.#pace.textContent = pace
    this.#bar.ariaLabel = what
    if (share === undefined) this.#bar.removeAttribute('value')
    else this.#bar.value = share
  }
}
