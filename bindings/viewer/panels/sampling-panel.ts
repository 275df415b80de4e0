// The sampling of the next token: the most probable tokens at a position, reshaped live by temperature, top-k, top-p and min-p.
import { isUnwanted } from '../attention/reader.js'
import type { Parts } from '../frame/parts.js'
import { make } from '../support/dom.js'
import { nameOf, percent, quoted } from '../support/format.js'
import type { TextInspector } from '../text/inspector.js'
import { tokensOf } from '../tokens/passage.js'
import type { Panel } from './panels.js'
import { reshape, type Shape } from './reshape.js'
import { sliders } from './sliders.generated.js'

/** An alternative to a token of the text. */
export interface Alternative {
  /** The position of the token that it would replace or add. */
  readonly position: number
  readonly id: number
  readonly text: string
  /** The natural logarithm of the model's own probability. */
  readonly logprob: number
}

const shown = 10

export class SamplingPanel implements Panel {
  readonly place: HTMLDetailsElement
  readonly #text: TextInspector
  readonly #onError: (error: unknown) => void
  readonly #hint = make('p', { className: 'hint' }, 'Select a token of the text to see what else could have come there.')
  readonly #title = make('h3')
  readonly #inputs = new Map<keyof Shape, HTMLInputElement>()
  readonly #list = make('ol', { className: 'bars' })
  readonly #summary = make('p', { className: 'note', ariaLive: 'polite' })
  readonly #body: HTMLElement
  /** Texts of tokens, by id. */
  readonly #texts = new Map<number, string>()
  /** Called when the user chooses an alternative; absent if the page cannot continue from there. */
  onChoose?: (chosen: Alternative) => void
  #row?: number
  #logits?: Float32Array
  #call = new AbortController()

  constructor(parts: Parts, text: TextInspector, onError: (error: unknown) => void) {
    this.place = parts.attention.drawingLots
    this.#text = text
    this.#onError = onError
    const note = make(
      'p',
      { className: 'note' },
      'Top-k, top-p and min-p leave out improbable tokens; then the temperature makes the rest more alike (above 1) or less (below 1).',
    )
    const controls = make(
      'div',
      { className: 'sliders' },
      ...(Object.keys(sliders) as (keyof Shape)[]).map(name => this.#slider(name)),
    )
    this.#body = make('div', {}, this.#title, controls, this.#list, this.#summary)
    this.place.append(make('summary', {}, 'How the next token is drawn'), note, this.#hint, this.#body)
    text.selection.watch(({ pinned }) => {
      if (pinned?.row !== this.#row) this.refresh()
    })
  }

  /** Clears the token texts of the previous model. */
  leave(): void {
    this.#texts.clear()
  }

  async refresh(): Promise<void> {
    this.#call.abort()
    const { signal } = (this.#call = new AbortController())
    this.place.hidden = !this.#text.model?.info.generates || this.#text.passage.parts !== undefined
    this.#row = this.#text.selection.value.pinned?.row
    this.#logits = undefined
    if (!this.place.open || this.place.hidden) return
    try {
      const logits = this.#row === undefined ? undefined : await this.#text.logits(this.#row, signal)
      if (signal.aborted) return
      this.#logits = logits
      this.#hint.hidden = logits !== undefined
      this.#body.hidden = logits === undefined
      await this.#draw()
    } catch (error) {
      if (!isUnwanted(error)) this.#onError(error)
    }
  }

  get #shape(): Shape {
    const value = (name: keyof Shape) => this.#inputs.get(name)!.valueAsNumber
    return { temperature: value('temperature'), topK: value('topK'), topP: value('topP'), minP: value('minP') }
  }

  #slider(name: keyof Shape): HTMLLabelElement {
    const { label, value, ...range } = sliders[name]
    const input = make('input', {
      id: `shape-${name.toLowerCase()}`,
      type: 'range',
      min: `${range.min}`,
      max: `${range.max}`,
      step: `${range.step}`,
      value: `${value}`,
    })
    const output = make('output')
    const say = () => {
      output.value = name === 'topK' && input.valueAsNumber === 0 ? 'off' : input.value
      input.setAttribute('aria-valuetext', output.value)
    }
    say()
    this.#inputs.set(name, input)
    input.addEventListener('input', () => {
      say()
      this.#draw().catch(this.#onError)
    })
    return make('label', {}, label, input, output)
  }

  async #draw(): Promise<void> {
    const [logits, row] = [this.#logits, this.#row]
    if (!logits || row === undefined) return
    const { tokens, candidates } = reshape(logits, this.#shape, shown)
    for (const { id } of tokens) {
      if (!this.#texts.has(id)) this.#texts.set(id, await this.#text.nameOfToken(id))
    }
    if (logits !== this.#logits) return
    const passage = tokensOf(this.#text.passage)
    const next = passage[row + 1]
    this.#title.textContent = `After ${quoted(passage[row]!)}`
    const items = tokens.map(({ id, before, after }) => {
      const text = this.#texts.get(id)!
      const name = nameOf({ id, text })
      const choose =
        this.onChoose &&
        make(
          'button',
          {
            type: 'button',
            className: 'quiet',
            title: 'Continue the text with this token',
          },
          name,
        )
      choose?.addEventListener('click', () => this.onChoose?.({ position: row + 1, id, text, logprob: Math.log(before) }))
      const item = make(
        'li',
        { className: [id === next?.id ? 'chosen' : '', after === 0 ? 'left-out' : ''].join(' ').trim() },
        make('span', { className: 'bar-text' }, choose ?? name),
        make('span', { className: 'bar-share' }, `${percent(before)} → ${after === 0 ? 'left out' : percent(after)}`),
      )
      if (id === next?.id) item.append(make('span', { className: 'visually-hidden' }, '(in the text)'))
      item.style.setProperty('--share', after.toFixed(4))
      return item
    })
    this.#list.replaceChildren(...items)
    this.#summary.textContent =
      candidates === 1
        ? 'Only the most probable token can be drawn.'
        : `${candidates.toLocaleString('en')} of ${logits.length.toLocaleString('en')} tokens can be drawn. Penalties and forms are not counted in.`
  }
}
