// Generates a text with `clamp` and `splice`, one token at a time: a pass over the text so far gives the values at new positions,
// from which the rows to set there are computed. The engine then generates from the prompt again, one token further, so that its
// sampler, constraint and stop strings are in the state of an uninterrupted generation; the known tokens are verified in one pass.
import { HeedError, refuse } from '../../../wire/errors.js'
import type { WireEdit } from '../../../wire/changes.js'
import type { Call, Results, WireToken } from '../../../wire/protocol.js'
import type { CallOptions, Connection } from '../../connection.js'
import type { Text } from './features.js'
import { type AnyEdit, grouped, isReplacing, plain, Replacement, type Replacing } from './replacing.js'

type GenerateCall = Extract<Call, { type: 'generate' }>
type Written = Results['generate']

const usualTokens = 256

export async function write(
  connection: Connection,
  call: GenerateCall,
  edits: readonly AnyEdit[],
  { signal, onEvent }: CallOptions,
): Promise<Written> {
  checkOptions(call)
  const { addSpecial, parseSpecial, adapters, maxTokens = usualTokens } = call.options
  const prompt = await connection.call({ type: 'tokenize', prompt: call.prompt, addSpecial, parseSpecial }, { signal })
  const changes = new Changes(edits, prompt.length)
  let tokens: WireToken[] = []
  let shown = 0
  const show = (end: number) => {
    for (const token of tokens.slice(shown, end)) onEvent?.({ type: 'token', token })
    shown = Math.max(shown, end)
  }
  let first: Written | undefined, last: Written | undefined
  let started = performance.now()
  for (let count = Math.min(1, maxTokens); ; count++) {
    const expected = tokens.map(({ id }) => id)
    const next: WireToken[] = []
    try {
      const text = { prompt: [...prompt, ...expected], addSpecial: false, parseSpecial: false, adapters }
      const options = { ...call.options, addSpecial: false, maxTokens: count, edits: await changes.in(connection, text, signal) }
      last = await connection.call(
        { ...call, prompt, expected, options },
        {
          signal,
          keepsResult: true,
          onEvent: event => {
            if (event.type === 'token') next.push(event.token)
            else if (!first) onEvent?.(event)
          },
        },
      )
    } catch (error) {
      const { code } = HeedError.from(error)
      if (!first || !last || (code !== 'context-overflow' && code !== 'aborted')) throw error
      show(tokens.length)
      return { ...last, finishReason: code === 'aborted' ? 'abort' : 'context', timings: timingsOf(first, last, started) }
    }
    tokens = next
    if (!first) started = performance.now()
    first ??= last
    const goesOn = last.finishReason === 'length' && count < maxTokens
    // If more tokens follow, the last one may get less text, because part of a stop string or of a character is held back: it is
    // shown in the next round.
    show(goesOn ? tokens.length - 1 : tokens.length)
    if (!goesOn) return { ...last, timings: timingsOf(first, last, started) }
  }
}

/** Throws `unsupported`, naming what cannot be combined with `clamp` and `splice`. */
function checkOptions({ prompt, session, options: { contextShift } }: GenerateCall): void {
  const parts = typeof prompt === 'object' && 'parts' in prompt ? prompt.parts : []
  const asked = {
    'a session': session,
    contextShift,
    'images and sounds': parts.find(part => typeof part === 'object' && ('image' in part || 'audio' in part)),
  }
  const [option] = Object.entries(asked).find(([, value]) => value !== undefined) ?? []
  if (option) throw new HeedError('unsupported', `generate: clamp and splice cannot be combined with ${option}`)
}

/** The passes that read the text again count as decoding. */
function timingsOf(first: Written, { timings }: Written, started: number): Written['timings'] {
  const { reusedTokens, prefillMs, prefillTokensPerSecond } = first.timings
  const decodeMs = performance.now() - started
  const decodeTokensPerSecond = decodeMs > 0 ? (1000 * timings.generatedTokens) / decodeMs : 0
  const own = { reusedTokens, prefillMs, prefillTokensPerSecond, decodeMs, decodeTokensPerSecond }
  return { ...timings, ...own, guessedTokens: 0, acceptedTokens: 0, draftedTokens: 0, acceptedDrafts: 0, speculation: 'off' }
}

/** The edits of a text that grows. */
class Changes {
  /** The edits, with positions counted from the beginning of the text. */
  readonly #edits: (WireEdit | { replacement: Replacement; placesOf: readonly (readonly number[] | undefined)[] })[]

  constructor(edits: readonly AnyEdit[], length: number) {
    const numbered = edits.map((edit, index) => fromStart(edit, index, length))
    this.#edits = grouped(numbered).map(group => {
      const [edit] = group
      if (!isReplacing(edit)) return plain(edit)
      const replacing = group as readonly [Replacing, ...Replacing[]]
      return { replacement: new Replacement(replacing), placesOf: replacing.map(({ positions }) => positions) }
    })
  }

  /** The edits for the text so far. */
  async in(connection: Connection, text: Text & { prompt: readonly number[] }, signal?: AbortSignal): Promise<WireEdit[]> {
    const made: WireEdit[] = []
    const { length } = text.prompt
    for (const edit of this.#edits) {
      if (!('replacement' in edit)) {
        made.push(...soFar(edit, length))
        continue
      }
      const { replacement, placesOf } = edit
      const places = placesOf.map(some => some?.filter(place => place < length) ?? [...Array(length).keys()])
      await replacement.extend(connection, { ...text, edits: [...made] }, places, signal)
      made.push(...replacement.edits())
    }
    return made
  }
}

/** The edit with the positions in its text counted from the beginning. */
function fromStart<One extends AnyEdit>(edit: One, index: number, length: number): One {
  const place = (position: number) => {
    if (position + length >= 0) return position < 0 ? position + length : position
    throw refuse(`edits[${index}]: position ${position} is out of range for ${length} tokens`)
  }
  if ('cut' in edit) {
    const { query, key } = edit.cut
    return { ...edit, cut: { ...edit.cut, query: query.map(place), key: key.map(place) } }
  }
  const { positions } = edit as { positions?: (number | readonly [number, number])[] }
  if (!positions) return edit
  return { ...edit, positions: positions.map(one => (typeof one === 'number' ? place(one) : [place(one[0]), one[1]])) }
}

/** The edit, limited to its positions below `length`; empty if there are none. */
function soFar(edit: WireEdit, length: number): WireEdit[] {
  const isThere = (place: number) => place < length
  if ('cut' in edit) {
    const [query, key] = [edit.cut.query.filter(isThere), edit.cut.key.filter(isThere)]
    return query.length * key.length > 0 ? [{ cut: { ...edit.cut, query, key } }] : []
  }
  const { positions } = edit as { positions?: (number | readonly [number, number])[] }
  if (!positions) return [edit]
  const some = positions.filter(one => isThere(typeof one === 'number' ? one : one[0]))
  return some.length > 0 ? [{ ...edit, positions: some } as WireEdit] : []
}
