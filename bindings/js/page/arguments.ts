// Reads the arguments of calls besides options: prompts, texts, token ids and saved sessions, copied at the call.
import type { AttentionOf, ModelInfo } from '../types/index.js'
import { refuse } from '../wire/errors.js'
import type { WirePrompt } from '../wire/protocol.js'
import { reading } from './called-from.js'
import { prompt, tokenIds } from './prompts.js'
import { integer, matched, Mismatch } from './readers.js'

/** Reads a list: `item` reads each item. Throws `invalid-argument` if `list` is not an array. */
export const readList = <Item>(call: string, what: string, list: unknown, item: (call: string, value: unknown) => Item): Item[] =>
  reading(() =>
    matched(call, list, value => {
      if (Array.isArray(value)) return Array.from(value, one => item(call, one))
      throw new Mismatch(`an array of ${what}`)
    }),
  )

/** Whether an argument is an array rather than options. Throws `invalid-argument` for a value that cannot be read. */
export const isArray = (call: string, value: unknown): value is readonly unknown[] =>
  reading(() => matched(call, value, Array.isArray))

/** Throws `invalid-argument` if `ids` is not a list of token ids. */
export const readIds = (call: string, ids: unknown): number[] => reading(() => matched(call, ids, tokenIds))

/** Throws `invalid-argument` if `value` is not a string, a list of token ids or a list of parts. */
export const readPrompt = (call: string, value: unknown): WirePrompt => reading(() => matched(call, value, prompt))

/** A copy of the bytes. Throws `invalid-argument` if `bytes` is neither an ArrayBuffer nor a view of one. */
export const readBytes = (call: string, bytes: unknown): Uint8Array =>
  matched(call, bytes, value => {
    if (value instanceof ArrayBuffer) return new Uint8Array(value.slice())
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()
    throw new Mismatch('bytes from `save`')
  })

/** Throws `invalid-argument` if `length` is not an integer from 0 to `most`. */
export const readLength = (call: string, length: unknown, most: number): number =>
  matched(`${call}: length`, length, integer(0, most))

/**
 * Returns `source`, the encoder's text in a call about the decoder of an encoder-decoder. Throws `invalid-argument` if it is
 * missing there, or given where no encoder reads it.
 */
export function checkSource(call: string, source: WirePrompt | undefined, info: ModelInfo, of?: AttentionOf) {
  const needed = info.generates && info.embeds && of !== 'encoder'
  if (needed && source === undefined) throw refuse(`${call}: source: required: the encoder reads it`)
  if (!needed && source !== undefined) throw refuse(`${call}: source: there is no encoder to read it`)
  return source
}
