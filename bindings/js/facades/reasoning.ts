// How much to reason, as interfaces ask for it and chat templates can do it: they know efforts, or turn reasoning on and off, or neither.
import type { ChatInfo } from '../chat/types.js'

/** The nearest efforts that templates know (`reasoning_effort`), for those of the interfaces that they do not. */
const nearest: Record<string, string> = { minimal: 'low', xhigh: 'high', max: 'high' }

interface Effort {
  /** What the template gets as `reasoning_effort`. */
  readonly level?: string
  /** What is not done as it was asked. */
  readonly doubt?: { readonly type: 'unsupported' | 'compatibility'; readonly details: string } | undefined
}

/** What a template does with an effort, besides turning reasoning on or off. `info` is known only for the model's templates. */
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
