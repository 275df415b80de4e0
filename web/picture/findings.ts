// A model's findings in the image: its most probable classes, or how well texts fit it.
import { HeedError, type Model, similarity } from 'heed'
import { byId, make } from '../support/dom.js'
import { percent } from '../support/format.js'

const restMs = 300

interface Finding {
  text: string
  value: string
  /** The length of the finding's bar, from 0 to 1. */
  share: number
}

export class Findings {
  readonly #onError: (error: unknown) => void
  readonly #box = byId('descriptions-box', HTMLTextAreaElement)
  #model?: Model
  #picture?: ImageData

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
    let timer = 0
    this.#box.addEventListener('input', () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => this.#find('descriptions', compare), restMs)
    })
  }

  /** The texts to compare the image with. */
  set texts(texts: readonly string[]) {
    this.#box.value = texts.join('\n')
  }

  /** Shows the findings for an image. */
  show(model: Model, picture: ImageData): void {
    this.#model = model
    this.#picture = picture
    byId('classes', HTMLElement).hidden = model.info.embeds
    byId('descriptions', HTMLElement).hidden = !model.info.embeds
    if (model.info.embeds) this.#find('descriptions', compare)
    else this.#find('classes', classify)
  }

  hide(): void {
    this.#model = this.#picture = undefined
    byId('classes', HTMLElement).hidden = byId('descriptions', HTMLElement).hidden = true
  }

  async #find(section: string, ask: typeof compare): Promise<void> {
    const [model, picture, text] = [this.#model, this.#picture, this.#box.value]
    if (!model || !picture) return
    const isLatest = () => model === this.#model && picture === this.#picture && text === this.#box.value
    try {
      const findings = await ask(
        model,
        picture,
        text.split('\n').filter(line => line.trim() !== ''),
      )
      if (isLatest())
        byId(section, HTMLElement)
          .querySelector('ol')!
          .replaceChildren(...findings.map(element))
    } catch (error) {
      const { code } = HeedError.from(error)
      if (section === 'classes' && code === 'unsupported')
        byId(section, HTMLElement).hidden = true // the model has no classes
      else if (isLatest() && code !== 'disposed') this.#onError(error)
    }
  }
}

/** The cosine similarities of texts and the image. CLIP's are close to one another: only their order matters. */
async function compare(model: Model, picture: ImageData, texts: string[]): Promise<Finding[]> {
  const [image] = await model.embedImages([picture])
  const vectors = await model.embed(texts)
  const cosines = vectors.map(vector => similarity(vector, image!))
  return texts
    .map((text, index) => ({ text, value: cosines[index]!.toFixed(3), share: Math.max(cosines[index]!, 0) }))
    .sort((a, b) => Number(b.value) - Number(a.value))
}

async function classify(model: Model, picture: ImageData): Promise<Finding[]> {
  const classes = await model.classify(picture)
  return classes.map(({ label, probability }) => ({ text: label, value: percent(probability), share: probability }))
}

function element({ text, value, share }: Finding): HTMLLIElement {
  const item = make('li', {}, make('span', { className: 'bar-text' }, text), make('span', { className: 'bar-share' }, value))
  item.style.setProperty('--share', share.toFixed(4))
  return item
}
