// Renders Markdown that grows: only its last blocks are parsed and rendered again. The caller limits how often. A lexer may take
// quadratic time in a block's length, and a stack as deep as its nesting; whoever shares a conversation chooses the text, and a
// model may repeat itself without end. So a block that takes too long or is nested too deep, and everything after it, is shown as
// plain text.
import { Lexer, type Token, type Tokens, type TokensList } from 'marked'
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

/** The deepest nesting of blocks and marks: each level has elements of its own, and rendering it takes several calls. */
const deepest = 50

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

  /** Undefined if it is nested too deep, or took too long twice; once may be due to a busy machine. */
  #lexed(text: string): TokensList | undefined {
    try {
      for (let tries = 2; tries > 0; tries--) {
        const began = performance.now()
        const tokens = this.#lex(text)
        if (isDeep(tokens)) return undefined
        if (text.length <= piece || performance.now() - began < mostMs) return tokens
      }
    } catch {} // the lexer has run out of stack
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

  /** Shows the rest of the text as plain text, except for blocks before one that takes too long. */
  #showPlain(text: string): void {
    const tokens = this.#lexed(text.slice(this.#from, this.#from + piece))
    if (tokens) this.#settle(tokens, text, false, 1)
    this.#blocks.show([])
    this.#from = text.length - text.slice(this.#from).trimStart().length
    this.#plain = document.createTextNode('')
    this.#place.append(make('p', { className: 'plain' }, this.#plain))
  }
}

type Inner = { readonly tokens?: Token[] } & Partial<Pick<Tokens.List, 'items'> & Pick<Tokens.Table, 'header' | 'rows'>>

/** The tokens directly inside a token: of its text, of the items of a list, or of the cells of a table. */
const within = (token: Token): readonly Token[] => {
  const { tokens = [], items = [], header = [], rows = [] } = token as Inner
  return [...tokens, ...items, ...[header, ...rows].flatMap(cells => cells.flatMap(cell => cell.tokens))]
}

function isDeep(tokens: readonly Token[]): boolean {
  let level = tokens
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true
    level = level.flatMap(within)
  }
  return false
}

/** How many tokens at the end belong to the last `open` blocks. */
function openCount(tokens: readonly { type: string }[], open: number): number {
  let blocks = 0
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at]!.type !== 'space' && ++blocks > open) return tokens.length - at - 1
  }
  return tokens.length
}
