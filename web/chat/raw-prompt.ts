// The raw prompt: everything that the model reads, with control tokens marked. Its script is loaded when it is first opened.
import type { Model } from 'heed'
import { byId, make } from '../support/dom.js'
import { plural } from '../support/format.js'
import { explain } from '../support/notices.js'
import type { Conversation } from '../conversation/conversation.js'
import type { Asking } from '../conversation/prompts.js'
import { type Run, runsOf } from '../conversation/runs.js'
import type { Turn } from '../conversation/turns.js'

export class RawPrompt {
  readonly #text = byId('raw-prompt', HTMLPreElement)
  readonly #count = byId('raw-prompt-count', HTMLParagraphElement)
  #shows = 0

  /** Shows what `model` reads of a conversation up to the turn `last`; without a turn, nothing. */
  async show(model: Model, conversation: Conversation, last: Turn | undefined, asking: Asking): Promise<void> {
    const show = ++this.#shows
    let content: (Node | string)[]
    let count: string
    try {
      const { tokens, runs } = last ? await runsOf(model, conversation, last, asking) : { tokens: 0, runs: [] }
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
