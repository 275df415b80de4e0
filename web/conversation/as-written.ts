// Replaces the mark of an unknown token, such as <unk>, in the texts of a prompt's tokens by what was written: a conversation that
// another model wrote may have letters and words that the vocabulary lacks.
import type { GivenToken, PassagePart } from 'heed/viewer'
import type { TokenText } from './token-texts.js'

/**
 * `given` are the tokens of `parts`; `tokens` are their texts, and whether they are control tokens. If these are not found in the
 * parts one after the other, because the vocabulary changes letters, returns `given`.
 */
export function asWritten(
  given: readonly GivenToken[],
  tokens: readonly TokenText[],
  parts: readonly PassagePart[],
): readonly GivenToken[] {
  const known = new Map(given.map(({ id, text }) => [id, text]))
  const whole = parts.map(part => textOfPart(part, known)).join('')
  const written = [...given]
  let at = 0
  for (const [index, { text, isControl }] of tokens.entries()) {
    const bare = isControl ? text : text.trimStart() // white space may be added at the beginning
    if (whole.startsWith(text, at)) at += text.length
    else if (!isControl && whole.startsWith(bare, at)) at += bare.length
    else if (isControl && index > 0) {
      const end = endOfUnknown(whole, at, tokens, index + 1)
      if (end <= at) return given
      written[index] = { ...given[index]!, text: whole.slice(at, end) }
      at = end
    } else if (!isControl) return given // the first control token may be a mark that begins every text
  }
  return written
}

/** The end of an unknown control token at `at`: the start of the known tokens from `next` on; -1 if they do not follow. */
function endOfUnknown(whole: string, at: number, tokens: readonly TokenText[], next: number): number {
  let known = ''
  for (let index = next; index < tokens.length && !tokens[index]!.isControl; index++) known += tokens[index]!.text
  if (known !== '') return whole.indexOf(known, at + 1)
  const mark = tokens[next]
  if (!mark) return whole.length
  const found = whole.indexOf(mark.text, at + 1)
  return found < 0 ? at + String.fromCodePoint(whole.codePointAt(at) ?? 0).length : found // the next one is unknown, too
}

function textOfPart(part: PassagePart, texts: ReadonlyMap<number, string>): string {
  if (typeof part === 'string') return part
  if ('control' in part) return part.control
  return 'ids' in part ? Array.from(part.ids, id => texts.get(id) ?? '').join('') : ''
}
