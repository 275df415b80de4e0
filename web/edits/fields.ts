// The form of one edit in the list.
import type { ModelInfo } from 'heed'
import { make } from '../support/dom.js'
import { type Prompt, nameOfKey } from './resolve.js'
import type { PageEdit } from './edits.js'

export const titles: Record<PageEdit['kind'], string> = {
  steer: 'Steer toward some texts',
  head: 'Scale a head',
  patch: 'Patch a word',
  cut: 'Hide a token',
}

/** The names of layers, including the input of the first if that can be edited. */
const layersFrom = (first: -1 | 0, { layers }: ModelInfo) =>
  Array.from(
    { length: layers - first },
    (_, index) => [index + first, index + first < 0 ? 'the input' : `layer ${index + first + 1}`] as const,
  )
const headsOf = ({ heads }: ModelInfo) => Array.from({ length: heads }, (_, head) => [head, `head ${head + 1}`] as const)

interface Listener {
  /** The edit has changed; the user may still be typing. */
  typed(): void
  /** The user has changed the edit. */
  changed(): void
  /** The user wants to remove the edit from the list. */
  remove(): void
}

export class EditFields {
  readonly element: HTMLLIElement
  readonly #form = make('fieldset', { className: 'edit' })
  readonly #problem = make('p', { className: 'edit-problem', role: 'alert', hidden: true })
  readonly #info: ModelInfo
  readonly #listener: Listener
  readonly #key?: HTMLElement
  #edit: PageEdit

  constructor(edit: PageEdit, info: ModelInfo, prompt: Prompt, listener: Listener) {
    this.#edit = edit
    this.#info = info
    this.#listener = listener
    const use = make('input', { type: 'checkbox', checked: !edit.off })
    use.addEventListener('change', () => this.#change({ off: use.checked ? undefined : true }))
    const remove = make('button', { type: 'button', className: 'quiet', ariaLabel: `Remove: ${titles[edit.kind]}` }, 'Remove')
    remove.addEventListener('click', () => listener.remove())
    if (edit.kind === 'cut') this.#key = make('span', { className: 'edit-key' }, nameOfKey(prompt, edit.key))
    this.#form.append(make('legend', {}, make('label', {}, use, titles[edit.kind])), ...this.#fields(edit), remove, this.#problem)
    this.element = make('li', {}, this.#form)
  }

  get edit(): PageEdit {
    return this.#edit
  }

  /** Shows a problem with the edit; undefined for none. */
  set problem(problem: string | undefined) {
    this.#problem.hidden = problem === undefined
    this.#problem.textContent = problem ?? ''
  }

  /** Called when another text is shown. */
  read(prompt: Prompt): void {
    if (this.#edit.kind === 'cut') this.#key!.textContent = nameOfKey(prompt, this.#edit.key)
    this.problem = undefined
  }

  /** Focuses the first field. */
  focus(): void {
    this.#form.querySelector<HTMLElement>('textarea, select, input:not([type=checkbox])')?.focus()
  }

  #fields(edit: PageEdit): HTMLElement[] {
    switch (edit.kind) {
      case 'steer':
        return [
          this.#layer(edit.layer, -1),
          this.#slider('Strength', edit.scale, -8, 8),
          this.#texts('Toward these texts, one per line', edit.toward, toward => ({ toward })),
          this.#texts('Away from these', edit.away, away => ({ away })),
        ]
      case 'head':
        return [this.#layer(edit.layer, 0), this.#head(edit.head), this.#slider('Times', edit.scale, -2, 4)]
      case 'patch':
        return [
          this.#layer(edit.layer, -1),
          this.#word('Read the word', edit.word, word => ({ word })),
          this.#word('as if it were', edit.other, other => ({ other })),
        ]
      case 'cut':
        return [this.#layer(edit.layer, 0), this.#head(edit.head, 'all heads'), this.#place(edit.key)]
    }
  }

  #type(part: Partial<Record<string, unknown>>): void {
    this.#edit = { ...this.#edit, ...part } as PageEdit
    this.#listener.typed()
  }

  #change(part: Partial<Record<string, unknown>>): void {
    this.#type(part)
    this.problem = undefined
    this.#listener.changed()
  }

  #choice(
    label: string,
    options: readonly (readonly [number, string])[],
    value: number,
    part: (value: number) => object,
  ): HTMLElement {
    const box = make('select', {}, ...options.map(([number, name]) => make('option', { value: `${number}` }, name)))
    box.value = `${value}`
    box.addEventListener('change', () => this.#change({ ...part(Number(box.value)) }))
    return make('label', {}, label, box)
  }

  #layer(layer: number, first: -1 | 0): HTMLElement {
    return this.#choice(first < 0 ? 'After' : 'In', layersFrom(first, this.#info), layer, value => ({ layer: value }))
  }

  #head(head: number | undefined, all?: string): HTMLElement {
    const options = all === undefined ? headsOf(this.#info) : [[-1, all] as const, ...headsOf(this.#info)]
    return this.#choice('Head', options, head ?? -1, value => ({ head: value < 0 ? undefined : value }))
  }

  #slider(label: string, value: number, min: number, max: number): HTMLElement {
    const shown = make('output', {}, `${value}`)
    const range = make('input', { type: 'range', min: `${min}`, max: `${max}`, step: '0.25', value: `${value}` })
    range.addEventListener('input', () => {
      shown.textContent = `${range.valueAsNumber}`
      this.#type({ scale: range.valueAsNumber })
    })
    range.addEventListener('change', () => this.#change({ scale: range.valueAsNumber }))
    return make('label', { className: 'edit-slider' }, label, range, shown)
  }

  #texts(label: string, texts: readonly string[], part: (texts: string[]) => object): HTMLElement {
    const box = make('textarea', { rows: 3, dir: 'auto', spellcheck: false, value: texts.join('\n') })
    const typed = () => ({ ...part(box.value.split('\n').filter(line => line.trim() !== '')) })
    box.addEventListener('input', () => this.#type(typed()))
    box.addEventListener('change', () => this.#change(typed()))
    return make('label', { className: 'edit-texts' }, label, box)
  }

  #word(label: string, word: string, part: (word: string) => object): HTMLElement {
    const box = make('input', { type: 'text', dir: 'auto', value: word, autocomplete: 'off', spellcheck: false, maxLength: 200 })
    box.addEventListener('input', () => this.#type({ ...part(box.value.trim()) }))
    box.addEventListener('change', () => this.#change({ ...part(box.value.trim()) }))
    return make('label', {}, label, box)
  }

  #place(key: number): HTMLElement {
    const box = make('input', { type: 'number', min: '1', step: '1', value: `${key + 1}` })
    box.addEventListener('change', () => {
      const place = Math.max(1, Math.round(box.valueAsNumber || 1))
      box.value = `${place}`
      this.#change({ key: place - 1 })
    })
    return make('label', {}, 'Token', box, this.#key!)
  }
}
