// A button beside a model that checks whether it fits on this device. Only on request: it may download the model's header.
import { make } from '../support/dom.js'
import { explain } from '../support/notices.js'
import type { Source } from './slot.js'

/** The button, and the place of the answer beside it. */
export function askFit(source: Source, label: string): HTMLElement {
  const answer = make('span', { role: 'status' })
  const ask = make('button', { type: 'button', className: 'quiet', ariaLabel: `Will it run here? ${label}` }, 'Will it run here?')
  ask.addEventListener('click', async () => {
    ask.disabled = true
    answer.textContent = 'Reading its header…'
    try {
      const { describeFit } = await import('./fit.js')
      answer.textContent = await describeFit(source)
      ask.hidden = true
    } catch (error) {
      answer.textContent = explain(source.name, error)
      ask.disabled = false
    }
  })
  return make('div', { className: 'ask-fit' }, ask, answer)
}
