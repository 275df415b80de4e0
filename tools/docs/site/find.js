// What the search finds for the words that are typed.
import { otherWords } from './other-words.js'
import { wordsOf } from './search-options.js'

/** Words that say nothing about what is looked for. */
const empty = new Set(
  'a an and are at can do does for from how i in into is it my of on or the to what when which why with'.split(' '),
)

const all = (text, options) => ({ combineWith: 'AND', queries: [text], ...options })

/** Sections with a word, or with what the manual has in its place. The word may not be complete yet. */
function queryOf(word) {
  const lower = word.toLowerCase()
  const keys = Object.keys(otherWords).filter(key => key === lower || (lower.length > 3 && key.startsWith(lower)))
  const others = keys.flatMap(key => otherWords[key])
  return { combineWith: 'OR', queries: [all(word), ...others.map(other => all(other, { fuzzy: false }))] }
}

const few = 3

/** Sections that have all words, best first; and if these are few, then those that have some. */
export function find(index, text) {
  const words = wordsOf(text)
  const telling = words.filter(word => !empty.has(word.toLowerCase()))
  const queries = (telling.length > 0 ? telling : words).map(queryOf)
  const found = index.search({ combineWith: 'AND', queries })
  if (found.length >= few || queries.length < 2) return found
  const ids = new Set(found.map(({ id }) => id))
  return [...found, ...index.search({ combineWith: 'OR', queries }).filter(({ id }) => !ids.has(id))]
}
