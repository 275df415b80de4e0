// The choice of a head of the decoder, whose attention to the sound is drawn for the word that is lit.
import type { ModelInfo, TranscriptWord } from 'heed'
import { make } from '../support/dom.js'

/** The most heads and the longest sound, in seconds, for which attention is kept: some 100 MB. */
const most = { heads: 64, seconds: 120 }

export class HeadChoice {
  readonly #select = make('select', { id: 'sound-head' })
  readonly element = make(
    'p',
    { className: 'speech-head', hidden: true },
    make('label', {}, 'Attention to the sound: ', this.#select),
  )
  #info?: ModelInfo

  constructor(onChange: () => void) {
    this.#select.addEventListener('change', onChange)
  }

  /** `view`: the head that is chosen at first, counted from 1. */
  use(info: ModelInfo, view?: { readonly layer: number; readonly head?: number }): void {
    this.#info = info
    const heads = Array.from(
      { length: info.layers * info.heads },
      (_, at) => [Math.floor(at / info.heads), at % info.heads] as const,
    )
    const option = (value: string, text: string) => make('option', { value }, text)
    this.#select.replaceChildren(
      option('', 'not shown'),
      option('mean', 'mean of all heads'),
      ...heads.map(([layer, head]) => option(`${layer} ${head}`, `layer ${layer + 1}, head ${head + 1}`)),
    )
    this.#select.value = view?.head ? `${view.layer - 1} ${view.head - 1}` : ''
    this.element.hidden = true
  }

  /** Whether to record the attention to a sound of this length; not if the length is unknown. Shows or hides the choice. */
  records(seconds?: number): boolean {
    const { layers, heads } = this.#info!
    const does = seconds !== undefined && seconds <= most.seconds && layers * heads <= most.heads
    this.element.hidden = !does
    return does
  }

  /** The chosen head's attention weights as the word was predicted, one for each 0.02 s; undefined if none are to be shown. */
  weightsOf(word?: TranscriptWord): Float32Array | undefined {
    const all = word?.attention
    const { value } = this.#select
    if (!all?.length || value === '') return undefined
    if (value !== 'mean') return all.find(({ layer, head }) => `${layer} ${head}` === value)?.weights
    return all[0]!.weights.map((_, at) => all.reduce((sum, { weights }) => sum + weights[at]!, 0) / all.length)
  }
}
