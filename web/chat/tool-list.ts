// The list of tools that the user can enable for the model. All are off by default.
import { byId, make } from '../support/dom.js'
import { pageTools } from './tools/tools.js'

export class ToolList {
  readonly #inputs = pageTools.map(({ tool }) => make('input', { type: 'checkbox', name: 'tool', value: tool.name }))

  constructor(onChange: () => void) {
    const place = byId('tool-list', HTMLFieldSetElement)
    pageTools.forEach(({ label, tool }, at) => place.append(
      make('label', {}, this.#inputs[at]!, make('span', {}, label, ' ', make('code', {}, tool.name)))))
    place.addEventListener('change', onChange)
  }

  /** The enabled tools. */
  get lent() {
    return pageTools.filter((_, at) => this.#inputs[at]!.checked).map(({ tool }) => tool)
  }
}
