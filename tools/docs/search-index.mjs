// The index of the manual's search: an entry for each section of each page, as site/search.js reads it.
import MiniSearch from 'minisearch'
import { searchOptions } from './site/search-options.js'

const entities = { amp: '&', lt: '<', gt: '>', quot: '"' }
const textOf = html =>
  html
    .replace(/<a class="anchor".*?<\/a>|<wbr>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name) => entities[name])
    .replace(/\s+/g, ' ')
    .trim()

/** The sections of a page: each from one heading to the next. */
function sectionsOf({ address, content }) {
  const [, title] = /<h1[^>]*>(.*?)<\/h1>/s.exec(content)
  return content.split(/(?=<h[12] id=)/).flatMap(part => {
    const [, tag, id, heading] = /^<h([12]) id="([^"]*)"[^>]*>(.*?)<\/h[12]>/s.exec(part) ?? []
    if (tag === undefined) return []
    const text = textOf(part.slice(part.indexOf(`</h${tag}>`)))
    return [{ id: tag === '1' ? address : `${address}#${id}`, title: textOf(title), heading: textOf(heading), text }]
  })
}

export function searchIndex(pages) {
  const index = new MiniSearch(searchOptions)
  index.addAll(pages.flatMap(sectionsOf))
  return JSON.stringify(index)
}
