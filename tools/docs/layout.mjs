// The page around a text of the manual: its head, the contents beside it, and the links to the pages before and after it. It names no
// address of its own, so that the manual can be in any folder.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { inRoot } from '../paths.mjs'
import { addressOf } from './addresses.mjs'
import { contents, neighbors } from './contents.mjs'

const theme = readFileSync(inRoot('web/view/early-theme.js'), 'utf8').replace(/^\/\/.*\n/, '')
const hash = createHash('sha256').update(theme).digest('base64')
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${hash}'`,
  "worker-src 'self'",
  "frame-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
const textOf = html => html.replace(/<[^>]*>/g, '')
const titleOf = content => textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(content)[1])

/** What search engines show of a page: its first sentences, about a line of them. */
function descriptionOf(content) {
  const text = textOf(/<p>(.*?)<\/p>/s.exec(content)?.[1] ?? titleOf(content)).replace(/\s+/g, ' ')
  return (/^.{40,150}?[.:;](?= |$)/.exec(text)?.[0] ?? /^.{0,150}(?= |$)/.exec(text)[0]).replaceAll('"', '&quot;')
}

/** The HTML of a page; `path` is that of its Markdown in docs/, `address` its own below the manual. `live`: whether snippets can run. */
export function layout({ path, address, content }, { live }) {
  const home = posix.relative(posix.dirname(address), '.') || '.'
  const to = page => posix.relative(posix.dirname(address), addressOf(page.path))
  const entry = page =>
    `<li><a href="${to(page)}"${page.path === path ? ' aria-current="page"' : ''}>${escape(page.title)}</a></li>`
  const isHere = ({ pages }) => pages.some(page => page.path === path)
  const section = part =>
    `<details${isHere(part) ? ' open' : ''}><summary>${part.title}</summary><ul>${part.pages.map(entry).join('')}</ul></details>`
  const { before, after } = neighbors(path)
  const title = titleOf(content)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${descriptionOf(content)}">
    <title>${title}${path === 'README.md' ? '' : ' · Heed'}</title>
    <link rel="icon" type="image/svg+xml" href="${home}/icon.svg">
    <script>${theme}</script>
    <link rel="stylesheet" href="${home}/style.css">
    <script type="module" src="${home}/manual.js" data-home="${home}/"${live ? ' data-live' : ''}></script>
  </head>
  <body>
    <a class="skip" href="#text">Skip to the text</a>
    <header>
      <a class="name" href="${home}/index.html"><img src="${home}/icon.svg" alt="" width="26" height="26">Heed <span>manual</span></a>
      <search><label class="visually-hidden" for="search">Search the manual</label>
        <input id="search" type="search" placeholder="Search" autocomplete="off" aria-controls="found" role="combobox" aria-expanded="false">
        <ul id="found" role="listbox" aria-label="Found" hidden></ul></search>
      <a href="${home}/../index.html">The page</a>
    </header>
    <div class="columns">
      <nav aria-label="Contents"><details class="contents"><summary>Contents</summary>${contents.map(section).join('\n')}</details></nav>
      <main id="text">
${content}
        <nav class="neighbors" aria-label="Before and after">
          ${before ? `<a href="${to(before)}" rel="prev">← ${escape(before.title)}</a>` : '<span></span>'}
          ${after ? `<a href="${to(after)}" rel="next">${escape(after.title)} →</a>` : ''}
        </nav>
        <footer>Heed, MIT license. <a href="${home}/THIRD-PARTY.txt">Third-party licenses</a></footer>
      </main>
    </div>
  </body>
</html>
`
}
