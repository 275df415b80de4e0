// Renders Markdown blocks as elements. Unchanged blocks are left alone, because an answer grows at its end.
import type { Token, Tokens } from 'marked'
import { make } from '../support/dom.js'
import { offerCopy } from '../support/copy.js'
import { inline } from './inline.js'

/** A rendered block. */
interface Shown {
  readonly raw: string
  readonly type: string
  readonly node: HTMLElement
  /** Updates the block in place where that is cheaper than a new one. Returns whether it could. */
  readonly update?: (token: Token) => boolean
}

const isBlock = ({ type }: Token) => type !== 'space' && type !== 'def'

/** Keeps the blocks of an element in sync with a list of tokens. */
export class Blocks {
  readonly #place: HTMLElement
  #shown: Shown[] = []

  constructor(place: HTMLElement) {
    this.#place = place
  }

  show(all: readonly Token[]): void {
    const tokens = all.filter(isBlock)
    for (const { node } of this.#shown.splice(tokens.length)) node.remove()
    tokens.forEach((token, at) => {
      const old = this.#shown[at]
      if (old?.raw === token.raw && old.type === token.type) return
      if (old?.type === token.type && old.update?.(token)) {
        this.#shown[at] = { ...old, raw: token.raw }
        return
      }
      const made = { raw: token.raw, type: token.type, ...block(token) }
      if (old) old.node.replaceWith(made.node)
      else this.#place.append(made.node)
      this.#shown[at] = made
    })
  }

  /** Finalizes the first blocks: from now on, `show` takes only the blocks after them. */
  settle(first: readonly Token[]): void {
    this.#shown.splice(0, first.filter(isBlock).length)
  }
}

function block(token: Token): Pick<Shown, 'node' | 'update'> {
  switch (token.type) {
    case 'heading':
      return { node: make(`h${level(token as Tokens.Heading)}`, {}, ...inline(token.tokens)) }
    case 'paragraph':
      return { node: make('p', {}, ...inline(token.tokens)) }
    case 'hr':
      return { node: make('hr') }
    case 'code':
      return code(token as Tokens.Code)
    case 'list':
      return list(token as Tokens.List)
    case 'blockquote':
      return quote(token as Tokens.Blockquote)
    case 'table':
      return { node: table(token as Tokens.Table) }
    case 'text':
      return { node: make('div', {}, ...(token.tokens ? inline(token.tokens) : [(token as Tokens.Text).text])) }
    default:
      return { node: make('p', {}, token.raw.trim()) } // HTML is shown as text
  }
}

/** The page itself uses the first two heading levels. */
const level = ({ depth }: Tokens.Heading) => Math.min(depth + 2, 6) as 3 | 4 | 5 | 6

/** When a code block grows, only the new text is appended. */
function code(token: Tokens.Code): Pick<Shown, 'node' | 'update'> {
  const text = document.createTextNode(token.text)
  const language = token.lang?.split(/\s/, 1)[0] ?? ''
  const name = document.createTextNode(language)
  const copy = make('button', { type: 'button', className: 'quiet' }, 'Copy')
  offerCopy(copy, () => text.data, 'Copy')
  // It scrolls on its own, so it must be reachable by keyboard.
  const node = make(
    'div',
    { className: 'code' },
    make('p', {}, make('span', {}, name), copy),
    make('pre', { tabIndex: 0, role: 'group', ariaLabel: 'Code' }, make('code', {}, text)),
  )
  return {
    node,
    update: next => {
      const { text: whole, lang } = next as Tokens.Code
      if (!whole.startsWith(text.data) || (lang?.split(/\s/, 1)[0] ?? '') !== name.data) return false
      text.appendData(whole.slice(text.data.length))
      return true
    },
  }
}

function quote(token: Tokens.Blockquote): Pick<Shown, 'node' | 'update'> {
  const node = make('blockquote')
  const blocks = new Blocks(node)
  blocks.show(token.tokens)
  return {
    node,
    update: next => {
      blocks.show((next as Tokens.Blockquote).tokens)
      return true
    },
  }
}

/** When a list grows, its unchanged items are left alone. */
function list(token: Tokens.List): Pick<Shown, 'node' | 'update'> {
  const node = token.ordered ? make('ol', { start: Number(token.start) || 0 }) : make('ul')
  const entries: { raw: string; node: HTMLElement; blocks: Blocks }[] = []
  const show = ({ items }: Tokens.List) => {
    for (const { node } of entries.splice(items.length)) node.remove()
    items.forEach((item, at) => {
      const raw = `${item.loose} ${item.raw}`
      if (entries[at]?.raw === raw) return
      const entry = entries[at] ?? { node: make('li'), blocks: undefined as never, raw: '' }
      if (!entries[at]) {
        entry.blocks = new Blocks(entry.node)
        node.append(entry.node)
        entries[at] = entry
      }
      entry.raw = raw
      if (item.task) entry.node.dataset.task = item.checked ? '☑' : '☐'
      entry.blocks.show(item.tokens.filter(({ type }) => type !== 'checkbox'))
    })
  }
  show(token)
  const { ordered, start } = token
  return {
    node,
    update: next => {
      const other = next as Tokens.List
      if (other.ordered !== ordered || other.start !== start) return false
      show(other)
      return true
    },
  }
}

function table({ header, rows }: Tokens.Table): HTMLElement {
  const row = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th') =>
    make('tr', {}, ...cells.map(({ tokens, align }) => make(tag, { className: align ? `align-${align}` : '' }, ...inline(tokens))))
  return make(
    'div',
    { className: 'table', tabIndex: 0, role: 'group', ariaLabel: 'Table' },
    make('table', {}, make('thead', {}, row(header, 'th')), make('tbody', {}, ...rows.map(cells => row(cells, 'td')))),
  )
}
