// The options of the search index, which must be the same where it is built (search-index.mjs) and where it is read (search.js).
export const searchOptions = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['title', 'heading'],
  // Names such as `modelStore.list`, `heed/ai-sdk` and `out-of-memory` are found by their parts, too.
  tokenize: text => text.split(/[^\p{L}\p{N}_]+/u).filter(Boolean),
  searchOptions: {
    prefix: true,
    fuzzy: word => (word.length > 4 ? 0.2 : false),
    boost: { heading: 4, title: 3 },
    combineWith: 'AND',
  },
}
