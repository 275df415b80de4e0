// The choice of a dictionary: those that are served with the page, and files of the user.
import type { FeatureDictionary, Model } from 'heed'
import { button, make } from '../support/dom.js'
import { labeled } from '../view/frame.js'
import { folderOf, type NamedFeature, type Served, servedFor } from './served.js'

interface Entry {
  readonly title: string
  readonly served?: Served
  readonly files?: readonly File[]
  /** The dictionary, once it has been chosen. */
  loaded?: Promise<FeatureDictionary>
}

export class DictionaryList {
  readonly element: HTMLElement
  readonly #select = make('select')
  readonly #hook = make('input', { type: 'text', spellcheck: false, autocomplete: 'off', placeholder: 'blocks.3.hook_resid_post' })
  readonly #input = make('input', { type: 'file', multiple: true, hidden: true, ariaLabel: 'Files of a dictionary' })
  #entries: Entry[] = []

  /** `change` is called when the user has chosen another dictionary. */
  constructor(change: () => void) {
    const open = button('Open files…', () => this.#input.click())
    this.element = make(
      'div',
      { className: 'lab-form' },
      labeled('Dictionary', this.#select),
      labeled('Its hook, if its files do not say it', this.#hook),
      make('div', { className: 'actions' }, open, this.#input),
    )
    this.#select.addEventListener('change', change)
    this.#input.addEventListener('change', () => {
      const files = Array.from(this.#input.files ?? [])
      this.#input.value = '' // lets the user choose the same files again
      if (files.length === 0) return
      this.#entries.push({ title: files.map(({ name }) => name).join(', '), files })
      this.#list(this.#entries.length - 1)
      change()
    })
  }

  /** Lists the dictionaries for a model. Files that the user chose for the model before are no longer listed. */
  async use(model: Model): Promise<void> {
    this.#entries = (await servedFor(model.info)).map(served => ({ title: served.title, served }))
    this.#list(0)
  }

  /** The name of the chosen dictionary, if it is served with the page. */
  get served(): string | undefined {
    return this.#chosen?.served?.name
  }

  set served(name: string | undefined) {
    const index = this.#entries.findIndex(({ served }) => served && served.name === name)
    if (index >= 0) this.#list(index)
  }

  /** What is known about a feature of the chosen dictionary. */
  known(feature: number): NamedFeature | undefined {
    return this.#chosen?.served?.features.find(one => one.feature === feature)
  }

  /** The chosen dictionary; undefined if there is none. Rejects with a HeedError, and can be called again. */
  load(model: Model): Promise<FeatureDictionary> | undefined {
    const entry = this.#chosen
    if (!entry) return undefined
    const hook = this.#hook.value.trim()
    entry.loaded ??= model.loadFeatures(entry.served ? folderOf(entry.served) : entry.files!, hook === '' ? {} : { hook })
    entry.loaded.catch(() => (entry.loaded = undefined))
    return entry.loaded
  }

  get #chosen(): Entry | undefined {
    return this.#entries[this.#select.selectedIndex]
  }

  #list(chosen: number): void {
    this.#select.replaceChildren(...this.#entries.map(({ title }) => make('option', {}, title)))
    this.#select.disabled = this.#entries.length === 0
    this.#select.selectedIndex = this.#entries.length === 0 ? -1 : chosen
  }
}
