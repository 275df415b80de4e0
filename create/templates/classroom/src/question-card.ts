// A question: the words to choose from, a button that shows the text, and a button that checks the answer.
import { make } from './page/elements.ts'
import type { Seen } from './looking.ts'
import type { Question } from './questions.ts'

const percent = (share: number) => `${Math.round(share * 100)} %`

/** `show()` shows the text in the viewer; `measure()` resolves to the head's attention. */
export function questionCard(
  question: Question,
  number: number,
  show: () => Promise<void>,
  measure: () => Promise<Seen>,
): HTMLElement {
  const verdict = make('p', { role: 'status' })
  const choices = question.words.map(word => {
    const radio = make('input', { type: 'radio', name: `question-${number}`, value: word, required: true })
    return make('label', {}, radio, ` ${word}`)
  })
  const lookButton = make('button', { type: 'button', className: 'quiet' }, 'Show it')
  lookButton.addEventListener('click', () => void show())
  const form = make(
    'form',
    {},
    make('fieldset', {}, make('legend', {}, question.asks), make('p', { className: 'said' }, question.look.text), ...choices),
    make('div', { className: 'row' }, lookButton, make('button', {}, 'Check')),
    verdict,
  )
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const chosen = new FormData(form).get(`question-${number}`)
    const { weights } = await measure()
    const right = question.words[weights.indexOf(Math.max(...weights))]
    const shares = question.words.map((word, at) => `“${word}” ${percent(weights[at]!)}`).join(', ')
    verdict.textContent = `${chosen === right ? 'Right.' : `No, it is “${right}”.`} Measured: ${shares}. ${question.explains}`
  })
  return make('li', { className: 'card' }, form)
}
