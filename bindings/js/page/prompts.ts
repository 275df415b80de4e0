// The readers of prompts: a text, token ids, or parts.
import { HeedError, refuse } from '../wire/errors.js'
import type { WirePart, WirePrompt } from '../wire/protocol.js'
import { expect, isIndex, isList, isObject, isString, itemsOf, matched, Mismatch, type Reader, wellFormed } from './readers.js'

const tokenId = expect<number>('a token id', isIndex)
export const tokenIds: Reader<number[]> = (value, what) => {
  const list = itemsOf(value)
  if (list) return list.map(id => matched(what, id, tokenId))
  throw new Mismatch('an array of token ids')
}
export const hasImage = (part: unknown): part is { image: unknown } => isObject(part) && part.image !== undefined
export const hasAudio = (part: unknown): part is { audio: unknown } => isObject(part) && part.audio !== undefined
export const part: Reader<WirePart> = (value, what) => {
  if (isString(value)) return wellFormed(value)
  if (hasImage(value) || hasAudio(value)) {
    const here = hasImage(value) ? 'no images here; they' : 'no audio here; it'
    throw new HeedError('unsupported', `${what}: ${here} can be in texts that a decoder reads or continues`)
  }
  if (isObject(value)) {
    const { control, ids } = value
    if (isString(control) && ids === undefined) return { control: wellFormed(control) }
    if (control === undefined && itemsOf(ids)) return { ids: tokenIds(ids, what) }
  }
  throw new Mismatch('a string, { control } with a string, or { ids } with token ids')
}
export const prompt: Reader<WirePrompt> = (value, what) => {
  if (isString(value)) return wellFormed(value)
  const list = itemsOf(value)
  if (!list) throw new Mismatch('a string, an array of token ids, or an array of parts')
  if (list.length > 1 && (list.every(isString) || list.every(isList))) {
    throw refuse(`${what}: expected one text, got a list of ${list.length}: call it for each, or join them`)
  }
  if (list.some(item => isString(item) || isObject(item))) return { parts: list.map(item => matched(what, item, part)) }
  return tokenIds(list, what)
}
