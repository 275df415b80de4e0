// Rounds of kills: when each comes, what must be found after it, and how often each outcome was.
import assert from 'node:assert/strict'
import { statSync, truncateSync } from 'node:fs'
import { defaultModelBytes, withModel } from '../package/support.mjs'
import { randomFrom } from '../store/support.mjs'
import { startHub } from '../support/hub/index.mjs'
import { answerOf, calls } from './writing.mjs'

/** Starts a hub that has the model; resolves to it, and to what writers load. */
export async function startSource() {
  const hub = await startHub({ 'heed/stories': { 'stories-Q8_0.gguf': defaultModelBytes() } })
  return { hub, source: 'hf:heed/stories:Q8_0', load: { hub: { endpoint: hub.endpoint }, cache: true, keep: true } }
}

/** The answers of a model that keeps nothing and is not killed, by their seeds. */
export const expectedAnswers = () =>
  withModel(undefined, { threads: 1 }, async model => {
    const answers = new Map()
    for (const call of calls) answers.set(call.options.seed, await answerOf(model, call))
    return answers
  })

/**
 * The moments of kills: after what the writer has told, and how many milliseconds later. Most are within the answer; the others in the load,
 * which may be a download, in the prompt, and at the end, when the text is kept.
 */
function momentOf(random, parts) {
  const kind = random()
  if (kind < 0.1) return { at: 'load', delay: random() * 400 }
  if (kind < 0.2) return { at: 'begin', delay: random() * 100 }
  if (kind < 0.3) return { at: 'part', count: parts, delay: random() * 30 }
  return { at: 'part', count: 1 + Math.floor(random() * parts), delay: random() * 20 }
}

/** Starts a writer and kills it at the moment; resolves to what it told before: {seed, seen, ended}. */
async function killAt(moment, start, argument, expected) {
  const told = { seed: argument.call.options.seed, seen: 0, ended: false }
  let reach
  const reached = new Promise(resolve => {
    reach = () => setTimeout(resolve, moment.delay)
  })
  const writer = await start(argument, ({ at, count = 0, seed }) => {
    if (seed) told.seed = seed // not that of the call, if it goes on with an earlier answer
    if (at === 'part') told.seen = count
    if (at === 'end') told.ended = true
    const { parts } = expected.get(told.seed)
    if (told.ended || (at === moment.at && count >= Math.min(moment.count ?? 0, parts))) reach()
  })
  await Promise.race([reached, writer.failed])
  await writer.kill()
  return told
}

const begins = (whole, part) => whole.trim().startsWith(part.trim()) // a chat's answer is trimmed

/**
 * Kills writers, so many times. `start(argument, hear)` resolves to a writer, {kill(), failed}: `failed` rejects if it ends by itself with
 * an error. `look(argument)` resolves to what is found afterwards. `cut(random, since)`, if there is one, truncates the file that the writer
 * has written last, and resolves to whether there is one. `slack`: so many parts may have come that were not heard. Resolves to the counts of
 * outcomes.
 */
export async function runRounds({ count, seed, expected, source, load, start, look, cut, slack = 0 }) {
  const random = randomFrom(seed)
  const counts = { wentOn: 0, ended: 0, nothing: 0, cut: 0 }
  /** The least number of tokens that each unfinished answer has, by its seed. */
  const known = new Map()
  for (let round = 0; round < count; round++) {
    const call = calls[Math.floor(random() * calls.length)]
    const moment = momentOf(random, expected.get(call.options.seed).parts)
    const startedAt = Date.now()
    const argument = { source, load, call, empties: random() < 0.15, goesOn: random() < 0.5 }
    const told = await killAt(moment, start, argument, expected)
    const wasCut = (await cut?.(random, startedAt)) ?? false
    const where = `round ${round}: ${JSON.stringify({ moment, told, wasCut })}`

    const finishes = random() < 0.6 || round === count - 1
    const { models, found, whole, left, last } = await look({ source, load, calls, finishes })
    if (last?.seed) told.seed = last.seed
    if (last?.count) told.seen = Math.max(told.seen, last.count) // it was written after all
    if (last?.at === 'end') told.ended = true
    assert.deepEqual(models, [true], where)
    for (const { seed, text } of found) assert.ok(begins(expected.get(seed).text, text), `${where}: ${text}`)
    for (const { seed, text } of whole) assert.equal(text, expected.get(seed).text, where)
    if (finishes) assert.equal(left, 0, where)

    // Nothing that was told is lost, unless it is cut off; an answer that was told to its end may be unfinished, or gone. A chat tells its
    // last part once its page has the end of the answer.
    const atEnd = calls.find(({ options }) => options.seed === told.seed).kind === 'chat' ? 1 : 0
    const hasEnded = told.ended || told.seen >= expected.get(told.seed).parts - atEnd - slack
    if (hasEnded) known.delete(told.seed)
    else if (told.seen > 0 && !wasCut) known.set(told.seed, Math.max(told.seen, known.get(told.seed) ?? 0))
    for (const [seed, least] of known) {
      const length = found.find(other => other.seed === seed)?.length ?? 0
      assert.ok(length >= least, `${where}: ${length} of ${least} tokens of ${seed} are left`)
    }
    if (wasCut) counts.cut++
    if (found.some(({ seed }) => seed === told.seed)) counts.wentOn++
    else if (hasEnded) counts.ended++
    else counts.nothing++
    if (finishes) known.clear()
  }
  return counts
}

/** Truncates the file that was written last, after `since`, as a power cut does with what the disk has not got. */
export function cutLast(paths, random, since) {
  const [last] = paths
    .map(path => ({ path, ...statSync(path) }))
    .filter(({ mtimeMs, size }) => mtimeMs >= since && size > 0)
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
  if (last) truncateSync(last.path, Math.floor(random() * last.size))
  return last !== undefined
}

export const inWords = ({ wentOn, ended, nothing, cut }, count) =>
  `${count} kills: ${wentOn} answers went on, ${ended} had come to their ends, ${nothing} had nothing on the disk` +
  (cut > 0 ? `; ${cut} files cut` : '')
