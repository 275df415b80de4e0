// The raw prompt: everything that the model reads, with control tokens marked.
import type { Model } from 'heed'
import { byId, make } from '../support/dom.js'
import { plural } from '../support/format.js'
import { explain } from '../support/notices.js'
import type { Counted, Run } from '../conversation/prompts.js'

export class RawPrompt {
  readonly #text = byId('raw-prompt', HTMLPreElement)
  readonly #count = byId('raw-prompt-count', HTMLParagraphElement)
  #shows = 0

  /** Shows a prompt for `model` once it is available. */
  async show(model: Model, prompt: Promise<Counted>): Promise<void> {
    const show = ++this.#shows
    let content: (Node | string)[]
    let count: string
    try {
      const { tokens, runs } = await prompt
      content = elements(runs)
      count =
        `All that the model reads: ${plural(tokens, 'token')} (words, or pieces of words) of ${model.info.contextLength} at most. Marks that the template adds ` +
        '(control tokens) are highlighted; the same characters in a message are plain text.'
    } catch (error) {
      content = []
      count = explain('The prompt', error)
    }
    if (show !== this.#shows) return
    this.#text.replaceChildren(...content)
    this.#count.textContent = count
  }
}

const elements = (runs: readonly Run[]): (Node | string)[] =>
  // biome-ignore lint/suspicious/useIterableCallbackReturn: there are no other kinds
  runs.map(({ kind, text, ids }) => {
    switch (kind) {
      case 'control':
        return make('mark', { title: 'A control token' }, text)
      case 'written':
        return make('b', { title: 'Written by the model' }, text)
      case 'medium':
        return make('i', { title: `Tokens of a ${text}, which have no text` }, `[${text}: ${plural(ids.length, 'token')}]`)
      case 'read':
        return text
    }
  })
