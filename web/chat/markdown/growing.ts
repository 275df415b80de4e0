// Renders Markdown that grows: only its last blocks are parsed and rendered again. ../frames.ts limits how often.
import { Lexer } from 'marked'
import { Blocks } from './blocks.js'

/** How many blocks at the end later text can still change: a number, for example, can continue a list. */
const open = 2

export class GrowingMarkdown {
  readonly #blocks: Blocks
  /** The offset of the first open block. */
  #from = 0
  #shown = 0

  constructor(place: HTMLElement) {
    this.#blocks = new Blocks(place)
  }

  /** Shows a text that extends the previous one. */
  show(text: string): void {
    if (text.length === this.#shown) return
    this.#shown = text.length
    const tokens = Lexer.lex(text.slice(this.#from), { gfm: true, breaks: true })
    this.#blocks.show(tokens)
    const settled = tokens.slice(0, tokens.length - openCount(tokens))
    const raw = settled.map(token => token.raw).join('')
    if (raw === '' || !text.startsWith(raw, this.#from)) return  // the lexer converts all line endings to \n
    this.#blocks.settle(settled)
    this.#from += raw.length
  }
}

/** How many tokens at the end belong to open blocks. */
function openCount(tokens: readonly { type: string }[]): number {
  let blocks = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at]!.type !== 'space' && ++blocks > open) return tokens.length - at - 1
  }
  return tokens.length
}
