// A Markdown text that grows: only its last blocks are read and shown anew, in a frame of the screen, and no more often than
// leaves the page most of its time.
import { Lexer } from 'marked'
import { Blocks } from './blocks.js'

/** Blocks at the end that what is to come may still change: a list goes on behind a number, say. */
const open = 2

export class GrowingMarkdown {
  readonly #blocks: Blocks
  /** Where the blocks begin that are still open. */
  #from = 0
  #shown = 0

  constructor(place: HTMLElement) {
    this.#blocks = new Blocks(place)
  }

  /** Shows a text that is what it was, and more. */
  show(text: string): void {
    if (text.length === this.#shown) return
    this.#shown = text.length
    const tokens = Lexer.lex(text.slice(this.#from), { gfm: true, breaks: true })
    this.#blocks.show(tokens)
    const settled = tokens.slice(0, tokens.length - openCount(tokens))
    const raw = settled.map(token => token.raw).join('')
    if (raw === '' || !text.startsWith(raw, this.#from)) return  // the lexer makes all line ends \n
    this.#blocks.settle(settled)
    this.#from += raw.length
  }
}

/** How many tokens at the end make up the blocks that are open. */
function openCount(tokens: readonly { type: string }[]): number {
  let blocks = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at]!.type !== 'space' && ++blocks > open) return tokens.length - at - 1
  }
  return tokens.length
}
