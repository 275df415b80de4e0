// The handler that generates text, on its own or as the continuation of a session.
import type { ConstrainedText } from '../engine.js'
import { HeedError } from '../../wire/errors.js'
import { changesOf, needsReading, placed, withChanges } from '../changes.js'
import { type Handler, type KeptCall, resting } from '../host.js'
import { hasMedia, idsOf, imagesOf, picturesOf } from './tokens.js'

export const generate: Handler<'generate'> = async (host, state, call) => {
  const { engine, handles, post, writing, sessions, constraints } = host
  if (host.info.maskToken) return (await host.lab()).unmask(host, state, call)
  const { prompt, session, whole = false, constraint, options, resumes, expected } = call
  const { id } = state
  const continued = session === undefined ? 0 : sessions.get(session)!
  const withMedia = hasMedia(prompt) ? prompt : undefined
  const pictures = withMedia && (await host.reading.run(() => picturesOf(host, state, withMedia, options))) // others do not wait
  let text: ConstrainedText | null = null
  let kept: KeptCall | undefined
  let total = continued && !whole ? engine.sessionTokens(continued).length : 0
  try {
    const ids = pictures?.ids() ?? idsOf(engine, prompt, options)
    total += ids.length
    const { adapters, edits, reportsReading: _, reasoning: limit, ...chosen } = options
    const asked = { adapters, edits }
    const reasoning = limit && { ...limit, ending: idsOf(engine, limit.ending, { addSpecial: false }) }
    const make = () => changesOf(host, state, asked)
    const made = adapters || edits ? await (needsReading(asked) ? host.reading.run(make) : make()) : undefined
    const changes = placed(made, total)
    if (!pictures && !changes && !expected)
      kept = await host.kept?.begin({ ids, session: continued, whole, options, constraint, resumes })
    text = constraint ? await (await constraints()).begin(constraint, resting(host, state)) : null
    if (state.aborted) {
      // aborted while the constraint was made
      text?.end()
      throw HeedError.aborted()
    }
    if (withMedia) post({ type: 'images', id, images: imagesOf(engine, withMedia, ids) })
    const given = { ...chosen, changes, reasoning, expected: kept?.expected ?? expected }
    state.generation = withChanges(changes, () => engine.begin(kept?.session ?? continued, ids, given, whole, text))
  } catch (error) {
    await kept?.end(false)
    throw error
  } finally {
    if (pictures) handles.free(pictures) // the generation holds them now
  }
  const onRead = options.reportsReading ? whenMore(done => post({ type: 'read', id, done, total })) : undefined
  const following = writing.follow(state.generation, {
    onRead,
    onToken(token) {
      onRead?.(total) // the first pass may have been the last one
      kept?.token(token.id)
      post({ type: 'token', id, token }, token.attention && [token.attention.buffer as ArrayBuffer])
    },
    ...(text && { prepare: () => text!.prepare(resting(host, state)) }),
  })
  let answer: string | undefined
  const { finishReason, endToken, timings } = await following.finally(async () => {
    answer = await kept?.end(true)
  })
  if (finishReason !== 'abort') onRead?.(total) // the generation may have ended without a token
  return { finishReason, endToken, timings, tokens: continued ? engine.sessionTokens(continued) : undefined, answer }
}

/** Reports only numbers above all previous ones: after a context shift, a text is processed again from a lower number. */
function whenMore(report: (count: number) => void): (count: number) => void {
  let most = 0
  return count => {
    if (count <= most) return
    most = count
    report(count)
  }
}
