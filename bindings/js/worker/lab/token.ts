// Tokens that callers name by their text or id.
import { refuse } from '../../wire/errors.js'
import type { TokenName } from '../../wire/protocol.js'
import type { Engine } from '../engine.js'

export function tokenOf(call: string, engine: Engine, token: TokenName): number {
  const { vocabulary } = engine.info()
  const id = typeof token === 'number' ? token : engine.findToken(token)
  if (id >= 0 && id < vocabulary) return id
  throw refuse(
    typeof token === 'number'
      ? `${call}: ${token} is outside the vocabulary of ${vocabulary} tokens`
      : `${call}: no token has the text ${JSON.stringify(token)}`,
  )
}
