// Maps reasoning efforts, as interfaces request them, to chat templates, which support effort levels, or switch reasoning on and
// off, or neither.
import type { ChatInfo } from '../chat/types.js'

/** For each effort that only interfaces have, the nearest level that templates know (`reasoning_effort`). */
const nearest: Record<string, string> = { minimal: 'low', xhigh: 'high', max: 'high' }

interface Effort {
  /** The template's `reasoning_effort`. */
  readonly level?: string
  /** The part of the request that is not fulfilled. */
  readonly doubt?: { readonly type: 'unsupported' | 'compatibility'; readonly details: string } | undefined
}

/**
 * How a template handles an effort, apart from switching reasoning on or off. `info` is known only for the model's own templates.
 */
export function effortIn(source: string, info: ChatInfo | undefined, effort: string): Effort {
  const { think, reasoning } = info?.supports ?? {}
  const isKnown = source.includes('reasoning_effort')
  if (effort === 'none') {
    const isOff = think !== false || !reasoning
    return isOff ? { ...(isKnown && { level: effort }) } : { doubt: unsupported('off') }
  }
  if (isKnown) {
    const level = nearest[effort] ?? effort
    return { level, doubt: level === effort ? undefined : { type: 'compatibility', details: `The template gets ${level}.` } }
  }
  return {
    doubt:
      think === false
        ? unsupported('on')
        : { type: 'compatibility', details: 'The template can only turn it on or off: it is on.' },
  }
}

const unsupported = (verb: string) =>
  ({ type: 'unsupported', details: `The model's chat template cannot turn it ${verb}.` }) as const
