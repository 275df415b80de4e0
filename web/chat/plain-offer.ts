// The notice for a model that continues texts but has no chat template: why there is no chat, and how to chat anyway.
import type { Model } from 'heed'
import { kindOf } from '../model/kind.js'
import { byId, make } from '../support/dom.js'
import { hasTemplate } from '../conversation/plain-form.js'

const why =
  'This file has no chat template: it does not say how questions and answers are written for the model, so the model only continues texts.'
const how =
  'You chat in a plain form, lines that begin with “User:” and “Assistant:”, because this file has no chat template. Answers may wander off.'

export class PlainOffer {
  readonly #place = byId('no-chat', HTMLParagraphElement)
  readonly #take = make('button', { type: 'button', id: 'chat-anyway' }, 'Chat anyway')
  #model?: Model
  #isTaken = false

  /** `onTake` is called when the user wants to chat in the plain form. */
  constructor(onTake: () => void) {
    this.#take.addEventListener('click', onTake)
  }

  /** Switches to a model that has not been chatted with. */
  use(model: Model): void {
    this.#model = model
    this.#isTaken = false
    this.#show()
  }

  /** Whether there is a chat with the model: in its own format, or in the plain one if the user chose that. */
  get hasChat(): boolean {
    if (!this.#model) return false
    const kind = kindOf(this.#model.info)
    return (kind === 'writes' || kind === 'unmasks') && (hasTemplate(this.#model.info) || this.#isTaken)
  }

  /** Whether the model could chat in the plain format. */
  get isOffered(): boolean {
    return this.#model !== undefined && kindOf(this.#model.info) === 'writes' && !hasTemplate(this.#model.info) && !this.#isTaken
  }

  take(): void {
    if (!this.isOffered) return
    this.#isTaken = true
    this.#show()
  }

  #show(): void {
    this.#place.hidden = !this.isOffered && !this.#isTaken
    this.#place.replaceChildren(...(this.isOffered ? [why, ' ', this.#take] : [how]))
  }
}
