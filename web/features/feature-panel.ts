// What is known of one feature: where it is largest, in the text and in other texts, the tokens that it raises, and what the model
// says if more of the feature is added.
import { type FeatureDictionary, HeedError, type Model, type Token } from 'heed'
import type { GivenToken } from 'heed/viewer'
import { type AnswersView, answersNamed, inWords } from '../edits/answers.js'
import { make } from '../support/dom.js'
import { explain } from '../support/notices.js'
import { areSame } from '../support/tokens.js'
import { quoted, visible } from '../support/words.js'
import { placesOf, type Reading } from './reading.js'
import type { NamedFeature } from './served.js'

/** The most tokens of an answer, of places in the text, and of tokens that a feature raises. */
const mostTokens = 40
const mostPlaces = 6
const mostRaised = 6
/** The number of tokens shown on each side of a place. */
const around = 6
/** The slider's limit, as a multiple of the feature's largest value in the text. */
const furthest = 4
const steps = 20

type PromptTokens = readonly GivenToken[] | undefined

export class FeaturePanel {
  readonly element: HTMLElement
  readonly #title = make('h3')
  readonly #here = make('ol', { className: 'bars' })
  readonly #elsewhere = make('ol', { className: 'bars' })
  readonly #raised = make('p', { className: 'lens-help' })
  readonly #slider = make('input', { type: 'range', step: 'any' })
  readonly #output = make('output')
  readonly #said = make('p', { className: 'lens-help', role: 'status', ariaLabel: 'State of the steered answer' })
  readonly #other: HTMLElement
  readonly #answers: AnswersView
  readonly #promptOf: () => PromptTokens | Promise<PromptTokens>
  /** The answer without steering, which each place of the slider is compared with. */
  #plain?: { readonly model: Model; readonly prompt: readonly GivenToken[]; readonly tokens: readonly Token[] }
  #chosen?: { readonly model: Model; readonly sae: FeatureDictionary; readonly feature: number }
  #stop = new AbortController()

  constructor(promptOf: () => PromptTokens | Promise<PromptTokens>) {
    this.#promptOf = promptOf
    const answers = answersNamed('Without steering', 'Steered')
    this.#answers = answers.view
    this.#other = make('section', { ariaLabel: 'In other texts' }, make('h4', {}, 'In other texts'), this.#elsewhere)
    const steering = make('label', { className: 'edit-slider steering' }, 'Add it to every token', this.#slider, this.#output)
    this.element = make(
      'section',
      { className: 'feature-panel', hidden: true, ariaLabel: 'The chosen feature' },
      this.#title,
      make(
        'div',
        { className: 'feature-places' },
        make('section', { ariaLabel: 'In this text' }, make('h4', {}, 'In this text'), this.#here),
        this.#other,
      ),
      this.#raised,
      steering,
      this.#said,
      answers.element,
    )
    this.#slider.addEventListener('input', () => this.#tellScale())
    this.#slider.addEventListener('change', () => void this.#steer())
  }

  /** How many times the direction is added; undefined if it is not. */
  get scale(): number | undefined {
    const scale = Number(this.#slider.value)
    return this.#chosen && scale !== 0 ? scale : undefined
  }

  get feature(): number | undefined {
    return this.#chosen?.feature
  }

  async show(model: Model, reading: Reading, feature: number, known: NamedFeature | undefined, scale = 0): Promise<void> {
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    this.#chosen = { model, sae: reading.sae, feature }
    this.element.hidden = false
    this.#title.textContent = known ? `Feature ${feature}: ${known.name}` : `Feature ${feature}`
    this.#answers.clear()
    this.#said.textContent = ''
    const places = placesOf(reading, feature)
    const most = Math.max(places[0]?.value ?? 0, known?.examples[0]?.value ?? 0, 1e-9)
    const textOf = (from: number, to: number) =>
      reading.tokens
        .slice(Math.max(0, from), to)
        .map(({ text }) => text)
        .join('')
    this.#here.replaceChildren(
      ...places
        .slice(0, mostPlaces)
        .map(({ position, value }) =>
          place(
            textOf(position - around, position),
            visible(reading.tokens[position]!),
            textOf(position + 1, position + 1 + around),
            value,
            most,
          ),
        ),
    )
    this.#other.hidden = !known || known.examples.length === 0
    this.#elsewhere.replaceChildren(
      ...(known?.examples ?? []).map(({ before, token, after, value }) =>
        place(before, visible({ text: token }), after, value, most),
      ),
    )
    const limit = Number((furthest * most).toPrecision(2))
    Object.assign(this.#slider, { min: `${-limit}`, max: `${limit}`, step: `${limit / steps}`, value: `${scale}` })
    this.#tellScale()
    this.#raised.textContent = ''
    try {
      const { normed } = await model.featureEffect(reading.sae, feature, { top: mostRaised, signal })
      if (signal.aborted) return
      const list = (tokens: typeof normed.top) => tokens.map(quoted).join(', ')
      this.#raised.textContent = `Along the direct path, it makes ${list(normed.top)} likelier, and ${list(normed.bottom)} less likely.`
    } catch (error) {
      if (!signal.aborted && HeedError.from(error).code !== 'disposed') this.#raised.textContent = explain('The model', error)
    }
    if (scale !== 0 && !signal.aborted) await this.#steer()
  }

  clear(): void {
    this.#stop.abort()
    this.#chosen = this.#plain = undefined
    this.element.hidden = true
    this.#answers.clear()
  }

  #tellScale(): void {
    this.#output.textContent = Number(this.#slider.value).toFixed(1).replace('-', '−')
  }

  async #steer(): Promise<void> {
    const { model, sae, feature } = this.#chosen!
    this.#stop.abort()
    const { signal } = (this.#stop = new AbortController())
    this.#said.textContent = 'Answering …'
    try {
      const prompt = (await this.#promptOf()) ?? []
      const maxTokens = Math.max(0, Math.min(mostTokens, model.info.contextLength - prompt.length))
      const ids = prompt.map(({ id }) => id)
      const answer = async (scale: number): Promise<readonly Token[]> => {
        const edits = scale === 0 ? [] : [{ feature: [sae, feature] as const, scale }]
        return (await model.generate(ids, { temperature: 0, maxTokens, edits, signal })).tokens
      }
      if (this.#plain?.model !== model || !areSame(this.#plain.prompt, prompt)) {
        const tokens = await answer(0)
        if (signal.aborted) return
        this.#plain = { model, prompt, tokens }
      }
      const without = this.#plain.tokens
      const answers = { without, with: this.scale === undefined ? without : await answer(this.scale) }
      if (signal.aborted) return
      this.#answers.show(answers)
      this.#said.textContent = inWords(answers)
    } catch (error) {
      if (!signal.aborted && HeedError.from(error).code !== 'disposed') this.#said.textContent = explain('The model', error)
    }
  }
}

/** A bar with a token in its text. */
function place(before: string, token: string, after: string, value: number, most: number): HTMLLIElement {
  const plain = (text: string) => text.replace(/\s+/g, ' ')
  const item = make(
    'li',
    {},
    make('span', { className: 'bar-text' }, plain(before), ' ', make('strong', {}, token), plain(after)),
    make('span', { className: 'bar-share' }, value.toFixed(1)),
  )
  item.style.setProperty('--share', Math.min(1, value / most).toFixed(4))
  return item
}
