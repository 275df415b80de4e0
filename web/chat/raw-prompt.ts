// The raw prompt: all that the model reads, with control tokens marked.
import type { Model } from 'heed'
import { byId, make } from '../support/dom.js'
import { explain } from '../support/notices.js'
import type { RawToken } from './prompts.js'

export class RawPrompt {
  readonly #text = byId('raw-prompt', HTMLPreElement)
  readonly #count = byId('raw-prompt-count', HTMLParagraphElement)
  #shows = 0

  /** Shows tokens once they are there; `model` is who they are for. */
  async show(model: Model, tokens: Promise<RawToken[]>): Promise<void> {
    const show = ++this.#shows
    let content: (Node | string)[]
    let count: string
    try {
      const all = await tokens
      content = runsOf(all)
      count = `${all.length} of ${model.info.contextLength} tokens. What the template adds as control tokens is marked; the same characters in a message are only text.`
    } catch (error) {
      content = []
      count = explain('The prompt', error)
    }
    if (show !== this.#shows) return
    this.#text.replaceChildren(...content)
    this.#count.textContent = count
  }
}

/** Tokens that follow one another and are of the same kind, as one element. */
function runsOf(tokens: readonly RawToken[]): (Node | string)[] {
  const runs: { token: RawToken, text: string }[] = []
  for (const token of tokens) {
    const last = runs.at(-1)
    if (last && !token.isControl && !last.token.isControl && last.token.isWritten === token.isWritten) last.text += token.text
    else runs.push({ token, text: token.text })
  }
  return runs.map(({ token: { isControl, isWritten }, text }) => {
    if (isControl) return make('mark', { title: 'A control token' }, text)
    return isWritten ? make('b', { title: 'Written by the model' }, text) : text
  })
}
