// <heed-download>: the progress of loading a model. This file is the element's public API.
import type { LoadProgress } from 'heed'
import { Base, make, part, sheetOf } from '../support/dom.js'
import { type Labels, labelsWith, standard } from '../support/labels.js'
import theme from '../support/theme.css?inline'
import css from './download.css?inline'
import { Rate } from './rate.js'
import { inWords } from './words.js'

/**
 * A progress bar with the name, the number of bytes loaded, the rate and the remaining time. It shows nothing until `progress` is
 * set. `name` is an attribute, too. Parts: `what`, `bar`, `pace`.
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

  /** The name to show, such as the model's. */
  get name(): string {
    return this.getAttribute('name') ?? ''
  }
  set name(name: string) {
    this.setAttribute('name', name)
  }

  /** The progress that `loadModel` reports; undefined hides the bar. */
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

  /** Texts that replace the English ones. Throws a TypeError for unknown names. */
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
