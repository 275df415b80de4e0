// Passes of a few tokens: further ones of one text, and one of each of several texts.
import { model, options, prompt, rate } from './texts.js'

export { load } from './texts.js'

let session

export async function begin({ context }) {
  session = await model.session()
  await session.append(prompt(context))
}

/**
 * Milliseconds of a pass that reads so many tokens of one text. Like one that verifies drafts, but for the output matrix, which only
 * the last token multiplies.
 */
export async function read({ count }) {
  const length = session.length
  const { timings } = await session.generate(prompt(count), options(1))
  await session.truncate(length)
  return timings.prefillMs
}

/** Milliseconds of a pass with a token of each of so many texts. */
export async function write({ count, tokens }) {
  const forks = []
  while (forks.length < count) forks.push(await session.fork())
  const perSecond = await rate(forks.map(fork => fork.generate(prompt(1), options(tokens))))
  for (const fork of forks) await fork.dispose()
  return (1000 * count) / perSecond
}
