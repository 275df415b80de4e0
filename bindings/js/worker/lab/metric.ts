// The metric of a sweep: a number computed from the logits at one position of a text.
import { refuse } from '../../wire/errors.js'
import type { WireMetric } from '../../wire/sweep.js'
import type { Host } from '../host.js'
import { tokenOf } from './token.js'

export interface Measure {
  /** The tokens whose logits are passed to `of`, in this order; if empty, `of` gets the logits of all tokens. */
  tokens: number[]
  of(logits: Float32Array): number
}

/** log(sum of exp), in double precision. */
function normalizer(logits: Float32Array): number {
  let most = -Infinity
  for (const logit of logits) if (logit > most) most = logit
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - most)
  return most + Math.log(sum)
}

/** KL(P || Q), with P the distribution of `logits` and Q that of `others`: sum of P (log P - log Q). */
export function divergence(logits: Float32Array, others: Float32Array): number {
  const whole = normalizer(logits),
    ofOthers = normalizer(others)
  let sum = 0
  for (let id = 0; id < logits.length; id++) {
    const logP = logits[id]! - whole
    const p = Math.exp(logP)
    if (p > 0) sum += p * (logP - (others[id]! - ofOthers))
  }
  return sum
}

/** The measure of a metric; `clean` returns the logits of the clean text. */
export function measureOf(host: Host, { token, against }: WireMetric, clean: () => Float32Array): Measure {
  if (token === undefined) {
    if (against !== undefined) throw refuse('sweep: metric: against needs a token')
    return { tokens: [], of: logits => divergence(clean(), logits) }
  }
  const id = tokenOf('sweep: metric: token', host, token)
  if (against === undefined) return { tokens: [], of: logits => logits[id]! - normalizer(logits) }
  const other = tokenOf('sweep: metric: against', host, against)
  return { tokens: [id, other], of: ([one, two]) => one! - two! }
}
