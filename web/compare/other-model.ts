// The model that the page's is compared with: a file, an address, the bundled model, or a coarser copy of that. It is unloaded when
// another takes its place.
import { HeedError, loadModel, type Model, type ModelSource } from 'heed'
import { button, make } from '../support/dom.js'
import { bytes, foreign } from '../support/format.js'
import { explain } from '../support/notices.js'
import { labeled } from '../view/frame.js'

/** How a link names it: `bundled`, `coarser` or an address. */
export type OtherName = string

/** The names of the models that come with the page. */
const ours: Readonly<Record<OtherName, string>> = {
  coarser: 'A copy of the bundled model with 4 bits a weight',
  bundled: 'The bundled model',
}

export class OtherModel {
  readonly element: HTMLElement
  readonly #status: () => HTMLElement
  readonly #changed: () => Promise<void>
  readonly #url = make('input', { type: 'text', spellcheck: false, autocomplete: 'off', placeholder: 'hf:OWNER/REPOSITORY:Q4_K_M' })
  readonly #input = make('input', { type: 'file', accept: '.gguf', hidden: true, ariaLabel: 'The file of the other model' })
  #stop = new AbortController()
  #model?: Model
  #name?: OtherName

  /** `status` returns the element that shows what is being loaded; `changed` is called once a model is loaded. */
  constructor(status: () => HTMLElement, changed: () => Promise<void>) {
    this.#status = status
    this.#changed = changed
    const form = make(
      'form',
      { className: 'lab-form' },
      labeled('The address of another file of this model', this.#url),
      make(
        'div',
        { className: 'actions' },
        make('button', { type: 'submit' }, 'Load'),
        button('Choose a file…', () => this.#input.click()),
        ...Object.entries(ours).map(([name, title]) => button(title, () => void this.load(name))),
        this.#input,
      ),
    )
    form.addEventListener('submit', event => {
      event.preventDefault()
      const address = this.#url.value.trim()
      if (address !== '') void this.load(address)
    })
    this.#input.addEventListener('change', () => {
      const [file] = this.#input.files ?? []
      this.#input.value = '' // lets the user choose the same file again
      if (file) void this.#load(file, `“${foreign(file.name)}”`, undefined)
    })
    this.element = form
  }

  get model(): Model | undefined {
    return this.#model
  }

  /** Undefined for a file, which no link can name. */
  get name(): OtherName | undefined {
    return this.#name
  }

  /** Puts an address into the box, for the user to load. */
  propose(address: string): void {
    this.#url.value = address
  }

  load(name: OtherName): Promise<void> {
    return this.#load(name === 'bundled' ? undefined : name, ours[name] ?? `“${foreign(name)}”`, name)
  }

  async unload(): Promise<void> {
    this.#stop.abort()
    const old = this.#model
    this.#model = this.#name = undefined
    await old?.dispose()
  }

  async #load(source: ModelSource | undefined, title: string, name: OtherName | undefined): Promise<void> {
    await this.unload()
    const { signal } = (this.#stop = new AbortController())
    const status = this.#status()
    status.textContent = `Loading ${title} …`
    try {
      const given = name === 'coarser' ? await (await import('./coarser.js')).coarserBundled(signal) : source
      const model = await loadModel(given, {
        signal,
        onProgress: ({ loaded, total }) => {
          if (!signal.aborted && total) status.textContent = `Loading ${title}: ${bytes(loaded)} of ${bytes(total)} …`
        },
      })
      if (signal.aborted) return void model.dispose()
      this.#model = model
      this.#name = name
      status.textContent = ''
      await this.#changed()
    } catch (error) {
      if (!signal.aborted && HeedError.from(error).code !== 'aborted') status.textContent = explain(title, error)
    }
  }
}
