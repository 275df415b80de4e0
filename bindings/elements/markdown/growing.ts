// Renders Markdown that grows: only its last blocks are parsed and rendered again. The caller limits how often. A lexer may take
// quadratic time in a block's length, and whoever shares a conversation chooses the text, so a block that takes too long, and
// everything after it, is shown as plain text.
import { Lexer, type TokensList } from 'marked'
import { make } from '../support/dom.js'
import { Blocks } from './blocks.js'

/** Number of blocks at the end that later text can still change: a number, for example, can continue a list. */
const open = 2

/** Number of characters to lex at once; more if a block is longer. */
const piece = 4000

/** Time limit for a longer block, in milliseconds. A block of ten times the piece's length takes about 4 ms. */
const mostMs = 100

/**
 * The rest of a longer text is shown as plain text, because each block is an element. An answer has 32,000 tokens at most, or
 * 130,000 characters.
 */
const mostCharacters = 200_000
const mostBlocks = 5000

const lexed = (text: string): TokensList => Lexer.lex(text, { gfm: true, breaks: true })

export class GrowingMarkdown {
  readonly #place: HTMLElement
  readonly #blocks: Blocks
  readonly #lex: typeof lexed
  /** The offset of the first open block. */
  #from = 0
  #shown = 0
  /** Number of settled blocks. */
  #count = 0
  /** The plain text from offset #from on. */
  #plain?: Text

  constructor(place: HTMLElement, lex = lexed) {
    this.#place = place
    this.#blocks = new Blocks(place)
    this.#lex = lex
  }

  /** Shows a text that extends the previous one. */
  show(text: string): void {
    if (text.length === this.#shown) return
    this.#shown = text.length
    for (let length = piece; !this.#plain; ) {
      const end = Math.min(this.#from + length, text.length)
      const tokens = end > mostCharacters || this.#count > mostBlocks ? undefined : this.#lexed(text.slice(this.#from, end))
      if (!tokens) {
        this.#showPlain(text)
        break
      }
      const isAll = end === text.length
      if (isAll) this.#blocks.show(tokens)
      const isSettled = this.#settle(tokens, text, isAll)
      if (isAll) return
      if (!isSettled) length *= 2
    }
    this.#plain?.appendData(text.slice(this.#from + this.#plain.length))
  }

  /** Undefined if it took too long twice; once may be due to a busy machine. */
  #lexed(text: string): TokensList | undefined {
    for (let tries = 2; tries > 0; tries--) {
      const began = performance.now()
      const tokens = this.#lex(text)
      if (text.length <= piece || performance.now() - began < mostMs) return tokens
    }
    return undefined
  }

  /** Finalizes the blocks that later text cannot change; returns whether there are any. */
  #settle(tokens: TokensList, text: string, areShown: boolean, left = open): boolean {
    const settled = tokens.slice(0, tokens.length - openCount(tokens, left))
    const raw = settled.map(token => token.raw).join('')
    if (raw === '' || !text.startsWith(raw, this.#from)) return false // the lexer converts all line endings to \n
    if (!areShown) this.#blocks.show(settled)
    this.#blocks.settle(settled)
    this.#count += settled.length
    this.#from += raw.length
    return true
  }

  /** Shows the rest of the text as plain text, except for blocks before the one that takes too long. */
  #showPlain(text: string): void {
    this.#settle(this.#lex(text.slice(this.#from, this.#from + piece)), text, false, 1)
    this.#blocks.show([])
    this.#from = text.length - text.slice(this.#from).trimStart().length
    this.#plain = document.createTextNode('')
    this.#place.append(make('p', { className: 'plain' }, this.#plain))
  }
}

/** How many tokens at the end belong to the last `open` blocks. */
function openCount(tokens: readonly { type: string }[], open: number): number {
  let blocks = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at]!.type !== 'space' && ++blocks > open) return tokens.length - at - 1
  }
  return tokens.length
}
