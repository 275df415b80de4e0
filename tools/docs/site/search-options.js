// The options of the search index, which must be the same where it is built (search-index.mjs) and where it is read (search.js).

export const wordsOf = text => text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean)

/** Names such as `modelStore.list`, `heed/ai-sdk`, `out-of-memory` and `maxTokens` are found by their parts, too. */
const tokenize = text =>
  wordsOf(text).flatMap(word => {
    const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u)
    return parts.length > 1 ? [word, ...parts] : [word]
  })

/** How much a section counts, by its address: guides come before the reference, and both before what is for contributors. */
const weights = [
  [/^contributing\//, 0.2],
  [/^(?:page\/|glossary|how-it-works|native-program|building)/, 0.4],
  [/^reference\/(?:types-|index)/, 0.5],
  [/^reference\//, 0.8],
]
const weightOf = address => weights.find(([pattern]) => pattern.test(address))?.[1] ?? 1

export const searchOptions = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['title', 'heading'],
  tokenize,
  searchOptions: {
    prefix: true,
    fuzzy: word => (word.length > 4 ? 0.2 : false),
    boost: { heading: 4, title: 3 },
    boostDocument: weightOf,
    combineWith: 'AND',
  },
}
