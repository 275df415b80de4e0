// Renders inline Markdown as elements, which are created from a fixed list of tag names: no text is ever parsed as HTML.
import type { Token, Tokens } from 'marked'
import { make } from '../support/dom.js'

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Decodes the character references that models write; leaves others unchanged. */
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? named[name]! : whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

/** Accepts only http:, https: and mailto: addresses; undefined for any other. */
function safeAddress(address: string): string | undefined {
  const url = URL.parse?.(address) ?? (URL.canParse(address) ? new URL(address) : null)
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}

/** A link opens in a new tab, which gets neither an opener nor a referrer. */
function link(address: string, ...content: (Node | string)[]): Node {
  const href = safeAddress(unescaped(address))
  if (href === undefined) return make('span', {}, ...content)
  return make('a', { href, target: '_blank', rel: 'noopener noreferrer', title: href }, ...content)
}

export const inline = (tokens: readonly Token[] = []): (Node | string)[] =>
  tokens.map(token => {
    switch (token.type) {
      case 'strong':
        return make('strong', {}, ...inline(token.tokens))
      case 'em':
        return make('em', {}, ...inline(token.tokens))
      case 'del':
        return make('del', {}, ...inline(token.tokens))
      case 'codespan':
        return make('code', {}, (token as Tokens.Codespan).text)
      case 'br':
        return make('br')
      case 'link':
        return link((token as Tokens.Link).href, ...inline(token.tokens))
      // An image would be fetched from another server, so it becomes a link.
      case 'image':
        return link((token as Tokens.Image).href, `Picture: ${unescaped((token as Tokens.Image).text) || 'without a name'}`)
      case 'escape':
        return (token as Tokens.Escape).text
      case 'text':
        return token.tokens ? spanOf(token.tokens) : unescaped((token as Tokens.Text).text)
      default:
        return token.raw // such as HTML
    }
  })

function spanOf(tokens: readonly Token[]): Node {
  const place = document.createDocumentFragment()
  place.append(...inline(tokens))
  return place
}
