// Draws random ordinary tokens: no control or unused tokens, and no parts of characters.
import type { ModelInfo } from '../../types/index.js'
import type { WebAbortSignal } from '../../types/web.js'
import type { Connection } from '../connection.js'

/** Draws this many different tokens, or fewer if the vocabulary has no more. The same seed gives the same tokens. */
export function ordinaryTokens(
  connection: Connection,
  { vocabulary }: ModelInfo,
  seed: number,
  signal?: WebAbortSignal,
): (count: number) => Promise<number[]> {
  const below = randomBelow(seed)
  const known = new Map<number, boolean>()
  const learn = async (id: number) => {
    const text = (await connection.call(
      { type: 'detokenize', ids: [id], special: false, tidySpaces: false, bytes: false },
      { signal },
    )) as string
    const again = await connection.call({ type: 'tokenize', prompt: text, addSpecial: false, parseSpecial: false }, { signal })
    known.set(id, !text.includes('\uFFFD') && again.includes(id))
  }
  return async count => {
    const left = Int32Array.from({ length: vocabulary }, (_, id) => id)
    const drawn: number[] = []
    for (let end = vocabulary; end > 0 && drawn.length < count; ) {
      const some: number[] = []
      for (; end > 0 && some.length < count - drawn.length; end--) {
        const at = below(end)
        some.push(left[at]!)
        left[at] = left[end - 1]!
      }
      await Promise.all(some.filter(id => !known.has(id)).map(learn))
      for (const id of some) if (known.get(id)) drawn.push(id)
    }
    return drawn
  }
}

/** Pseudo-random integers below a bound: mulberry32. */
function randomBelow(seed: number): (bound: number) => number {
  let state = seed
  return bound => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}
