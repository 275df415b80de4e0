// Passes of a few tokens: further ones of one text, and one of each of several texts.
import { load, model, options, prompt, rate } from './texts.js'

/**
 * Milliseconds of a pass that reads so many tokens of one text. Like one that verifies drafts, but for the output matrix, which only
 * the last token multiplies.
 */
async function read(session, count) {
  const length = session.length
  const { timings } = await session.generate(prompt(count), options(1))
  await session.truncate(length)
  return timings.prefillMs
}

/** Milliseconds of a pass with a token of each of so many texts. */
async function write(session, count, tokens) {
  const forks = []
  while (forks.length < count) forks.push(await session.fork())
  const perSecond = await rate(forks.map(fork => fork.generate(prompt(1), options(tokens))))
  for (const fork of forks) await fork.dispose()
  return (1000 * count) / perSecond
}

/** Passes of all counts, in turns. `tokens`: of each of several texts in a round. */
export async function passes({ counts, rounds, context, tokens, ...loading }) {
  const parallel = Math.max(...counts)
  const { target } = await load({ ...loading, contextLength: context + parallel + tokens + 8, parallel })
  const session = await model.session()
  await session.append(prompt(context))
  const times = counts.map(count => ({ count, one: [], several: [] }))
  for (let round = 0; round < rounds; round++)
    for (const { count, one, several } of times) {
      one.push(await read(session, count))
      several.push(await write(session, count, tokens))
    }
  return { target, times }
}
