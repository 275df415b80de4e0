// Texts with and without drafts, of models whose next tokens, and how many drafts of them are right, are known.
import { loadModel } from './dist/index.js'

let model

export async function load({ url, draft, threads, contextLength, simd }) {
  model = await loadModel(url, { draft: draft ?? true, threads, contextLength, prefixCache: 0, ...(simd && { simd }) })
  return model.info
}

/** Tokens per second after the first one; fails if the text is not the one that is known. */
async function write({ prompt, next, tokens, speculate }) {
  const { tokens: written, timings } = await model.generate(prompt, {
    maxTokens: tokens,
    temperature: 0,
    stopAtEnd: false,
    speculate,
  })
  const wrong = written.findIndex(({ id }, at) => id !== next[at])
  if (wrong >= 0) throw new Error(`token ${wrong} of the text is ${written[wrong].id}, not ${next[wrong]}`)
  const { decodeMs, generatedTokens, draftedTokens, acceptedDrafts } = timings
  return { perSecond: (1000 * (generatedTokens - 1)) / decodeMs, draftedTokens, acceptedDrafts }
}

/**
 * Texts of one class of tokens (`class` of the model's description), with and without drafts in turns. `first`: the first text with
 * drafts, which has yet to learn whether they pay.
 */
export async function compare({ class: { start, next }, context, tokens, rounds }) {
  const filler = Array.from({ length: context - 1 }, (_, at) => next[(at * 7) % next.length])
  const text = { prompt: [...filler, start], next, tokens }
  const first = await write({ ...text, speculate: 'auto' })
  const plain = [],
    drafted = []
  for (let round = 0; round < rounds; round++) {
    plain.push(await write({ ...text, speculate: 'off' }))
    drafted.push(await write({ ...text, speculate: 'auto' }))
  }
  return { first, plain, drafted }
}
