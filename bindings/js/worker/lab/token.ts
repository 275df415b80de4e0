// Tokens that callers name by their text or id.
import { refuse } from '../../wire/errors.js'
import type { TokenName } from '../../wire/protocol.js'
import type { Host } from '../host.js'

export function tokenOf(call: string, { engine, info: { vocabulary } }: Host, token: TokenName): number {
  const id = typeof token === 'number' ? token : engine.findToken(token)
  if (id >= 0 && id < vocabulary) return id
  throw refuse(
    typeof token === 'number'
      ? `${call}: ${token} is outside the vocabulary of ${vocabulary} tokens`
      : `${call}: no token has the text ${JSON.stringify(token)}`,
  )
}
