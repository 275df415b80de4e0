// Texts with and without drafts, of models whose next tokens, and how many drafts of them are right, are known.
import { loadModel } from 'heed'
import { checkText, textsOf } from './known-texts.js'
import { rate } from './texts.js'

/** Options that load the model. */
const settings = ({ draft, threads, context, tokens, parallel, simd }) => ({
  draft: draft ?? true,
  threads,
  contextLength: context + tokens + 16,
  parallel,
  prefixCache: 0,
  ...(simd && { simd }),
})

/** Tokens per second of all texts together; fails if they are not those that are known. */
async function write(model, texts, { tokens, speculate }) {
  const options = { maxTokens: tokens, temperature: 0, stopAtEnd: false, speculate }
  const generations = texts.map(({ prompt }) => model.generate(prompt, options))
  const perSecond = await rate(generations)
  const sums = { draftedTokens: 0, acceptedDrafts: 0 }
  for (const [text, generation] of generations.entries()) {
    const { tokens: written, timings } = await generation
    checkText(
      written.map(({ id }) => id),
      texts[text],
    )
    for (const key of Object.keys(sums)) sums[key] += timings[key] / texts.length
  }
  return { perSecond, ...sums }
}

/**
 * Texts of classes of tokens (those of the model's description), with and without drafts in turns. `first`: the first ones with drafts,
 * which have yet to learn whether they pay.
 */
export async function compare({ url, classes, rounds, ...options }) {
  const model = await loadModel(url, settings(options))
  const byRate = {}
  for (const one of classes) {
    const texts = textsOf(one, options)
    const figures = { first: await write(model, texts, { ...options, speculate: 'auto' }), plain: [], drafted: [] }
    for (let round = 0; round < rounds; round++) {
      figures.plain.push(await write(model, texts, { ...options, speculate: 'off' }))
      figures.drafted.push(await write(model, texts, { ...options, speculate: 'auto' }))
    }
    byRate[one.rate] = figures
  }
  return { target: model.info.target, byRate }
}
