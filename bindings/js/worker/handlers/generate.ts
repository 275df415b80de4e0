// The handler that generates text, on its own or as the continuation of a session.
import type { Timings } from '../../types/index.js'
import type { EngineTimings } from '../engine.js'
import type { Handler } from '../host.js'
import { idsOf } from './tokens.js'

export const generate: Handler<'generate'> = async ({ engine, post, writing, sessions }, state, { prompt, session, whole = false, options }) => {
  const { id } = state
  const continued = session === undefined ? 0 : sessions.get(session)!
  state.generation = engine.begin(continued, idsOf(engine, prompt, options), options, whole)
  const { finishReason, endToken, timings } = await writing.follow(state.generation, token =>
    post({ type: 'token', id, token }, token.attention && [token.attention.buffer as ArrayBuffer]))
  return {
    finishReason,
    endToken,
    timings: inMilliseconds(timings),
    tokens: continued ? engine.sessionTokens(continued) : undefined,
  }
}

const rate = (count: number, seconds: number) => count > 0 && seconds > 0 ? count / seconds : 0

const inMilliseconds = ({ promptSeconds, generateSeconds, ...counts }: EngineTimings): Timings => ({
  ...counts,
  prefillMs: promptSeconds * 1000,
  decodeMs: generateSeconds * 1000,
  prefillTokensPerSecond: rate(counts.promptTokens - counts.reusedTokens, promptSeconds),
  decodeTokensPerSecond: rate(counts.generatedTokens, generateSeconds),
})
