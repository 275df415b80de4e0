// Markdown as the manual reads it: headings have GitHub's anchors, code is colored, and links between files become links between pages.
import hljs from 'highlight.js/lib/common'
import { linkOf } from './addresses.mjs'

const languages = {
  ts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  tsx: 'typescript',
  vue: 'xml',
  svelte: 'xml',
  html: 'xml',
  sh: 'bash',
}

/** The anchor of a heading, as GitHub makes it. */
const slug = text =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

function addAnchors(state) {
  const taken = new Map()
  for (const [at, token] of state.tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = state.tokens[at + 1].children.map(({ content }) => content).join('')
    const base = slug(text)
    const before = taken.get(base) ?? 0
    taken.set(base, before + 1)
    token.attrSet('id', before ? `${base}-${before}` : base)
  }
}

function changeLinks(state) {
  const from = state.env.page?.inputPath.replace(/^\.\/docs\//, '')
  for (const { children } of state.tokens) {
    for (const token of children ?? []) {
      const name = { link_open: 'href', image: 'src' }[token.type]
      if (name) token.attrSet(name, linkOf(token.attrGet(name), from))
    }
  }
}

/** Alignment as a class: the policy of the pages allows no styles in attributes. */
function alignByClass(state) {
  for (const token of state.tokens) {
    const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? []
    if (side === undefined) continue
    token.attrs = token.attrs.filter(([name]) => name !== 'style')
    token.attrSet('class', side)
  }
}

/** A heading of a table without text is no heading, which screen readers would announce. */
function emptyHeadings(state) {
  for (const [at, token] of state.tokens.entries()) {
    if (token.type !== 'th_open' || state.tokens[at + 1].content !== '') continue
    for (const one of [token, state.tokens[at + 2]]) one.tag = 'td'
  }
}

/** The label of a table is the heading above it. */
function labelTables(state) {
  let heading = ''
  for (const [at, token] of state.tokens.entries()) {
    if (token.type === 'heading_open') heading = state.tokens[at + 1].children.map(({ content }) => content).join('')
    if (token.type === 'table_open') token.meta = `Table: ${heading}`
  }
}

/** In a narrow window, the name of a call in a heading is broken after its dot. */
const breakNames = ({ utils }) =>
  function breakNamesOf(state) {
    for (const [at, token] of state.tokens.entries()) {
      if (token.type !== 'heading_open') continue
      for (const child of state.tokens[at + 1].children.filter(({ type }) => type === 'text')) {
        child.type = 'html_inline'
        child.content = utils.escapeHtml(child.content).replace(/(?<=[a-z]\.)(?=[a-z])/gi, '<wbr>')
      }
    }
  }

/** Prepares Eleventy's instance of markdown-it. */
export function markdown(library) {
  library.set({
    html: true,
    highlight(code, info) {
      const language = languages[info] ?? info
      return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : ''
    },
  })
  library.core.ruler.push('anchors', addAnchors)
  library.core.ruler.push('links', changeLinks)
  library.core.ruler.push('alignment', alignByClass)
  library.core.ruler.push('headings', emptyHeadings)
  library.core.ruler.push('labels', labelTables)
  library.core.ruler.push('names', breakNames(library)) // after what reads the headings' texts
  const { table_open, table_close } = library.renderer.rules
  const plain = (tokens, at, options, env, self) => self.renderToken(tokens, at, options)
  // A wide table scrolls by itself, and so the keyboard must reach it. A group, because dozens of regions would be too many landmarks.
  library.renderer.rules.table_open = (tokens, at, ...rest) =>
    `<div class="table" tabindex="0" role="group" aria-label="${library.utils.escapeHtml(tokens[at].meta)}">${(table_open ?? plain)(tokens, at, ...rest)}`
  library.renderer.rules.table_close = (...all) => `${(table_close ?? plain)(...all)}</div>`
  library.renderer.rules.heading_close = (tokens, at, ...rest) => {
    const { tag } = tokens[at]
    const id = tokens[at - 2].attrGet('id')
    const link = tag === 'h1' ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
    return `${link}</${tag}>\n`
  }
}
