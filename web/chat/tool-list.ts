// The list of tools that the user can enable for the model. All are off by default.
import { byId, make } from '../support/dom.js'
import { pageTools } from './tools/tools.js'

export class ToolList {
  readonly #inputs = pageTools.map(({ tool }) => make('input', { type: 'checkbox', name: 'tool', value: tool.name }))

  readonly #place = byId('tool-list', HTMLFieldSetElement)
  readonly #button = byId('tools-button', HTMLButtonElement)
  readonly #title = this.#button.textContent
  readonly #verdict = byId('tools-verdict', HTMLParagraphElement)

  constructor(onChange: () => void) {
    const place = this.#place
    pageTools.forEach(({ label, tool }, at) =>
      place.append(make('label', {}, this.#inputs[at]!, make('span', {}, label, ' ', make('code', {}, tool.name)))),
    )
    place.addEventListener('change', () => {
      this.#mark()
      onChange()
    })
  }

  /** Offers the enabled tools to a model whose template supports tools, and reports if it does not. */
  use(name: string, supports: boolean): void {
    this.#place.disabled = !supports
    this.#verdict.textContent = supports
      ? ''
      : `“${name}” cannot call tools: the form of its conversations (its chat template) has no place for them. Load another model to try them.`
    this.#mark()
  }

  /** Shows on the button, which stays visible while the list is closed, how many tools are enabled. */
  #mark(): void {
    const { length } = this.lent
    this.#button.textContent = length === 0 ? this.#title : `${this.#title}: ${length} on`
    this.#button.classList.toggle('on', length > 0)
  }

  /** The names of the enabled tools. */
  get chosen(): readonly string[] {
    return this.#inputs.filter(({ checked }) => checked).map(({ value }) => value)
  }

  set chosen(names: readonly string[]) {
    for (const input of this.#inputs) input.checked = names.includes(input.value)
    this.#mark()
  }

  /** The enabled tools; none if the model cannot call them. */
  get lent() {
    return this.#place.disabled ? [] : pageTools.filter((_, at) => this.#inputs[at]!.checked).map(({ tool }) => tool)
  }
}
