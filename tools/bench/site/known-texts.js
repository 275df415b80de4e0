// Texts of models whose next tokens are known.

/** Prompts of a class of tokens, and what follows each: where the first one's text goes on to, the others begin. */
export function textsOf({ start, next }, { context, tokens, parallel }) {
  const apart = Math.floor((next.length - tokens) / Math.max(parallel - 1, 1))
  const chain = [start, ...next]
  return Array.from({ length: parallel }, (_, text) => {
    const filler = Array.from({ length: context - 1 }, (_, at) => next[(at * 7 + text) % next.length])
    return { prompt: [...filler, chain[text * apart]], next: chain.slice(text * apart + 1) }
  })
}

/** Fails if tokens are not those that are known. */
export function checkText(ids, { next }) {
  const wrong = ids.findIndex((id, at) => id !== next[at])
  if (wrong >= 0) throw new Error(`token ${wrong} of the text is ${ids[wrong]}, not ${next[wrong]}`)
}
