// Splits a text into paragraphs, which are the units that are found and cited.

/** The place of a paragraph: the heading above it, or the page, if there is one. */
export interface Paragraph {
  readonly text: string
  readonly place: string
}

const longest = 1200

/** Splits a long paragraph between sentences, so that each piece is quick to read and fits into an embedding model. */
function* pieces(text: string): Generator<string> {
  let piece = ''
  for (const sentence of text.split(/(?<=[.!?]["”’)]?)\s+/)) {
    if (piece && piece.length + sentence.length >= longest) {
      yield piece
      piece = ''
    }
    piece += (piece && ' ') + sentence
  }
  if (piece) yield piece
}

const joined = (block: string) => block.replace(/\s+/g, ' ').trim()

/** The paragraphs of Markdown or plain text: blocks between blank lines, each with the heading above it. */
export function paragraphsOf(text: string): Paragraph[] {
  const found: Paragraph[] = []
  let place = ''
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n\s*\n|\n(?=#{1,6} )/)) {
    const [, heading, rest] = /^\s*#{1,6} +([^\n]*?) *#*(?:\n([^]*))?$/.exec(block) ?? [undefined, undefined, block]
    if (heading !== undefined) place = heading
    for (const piece of pieces(joined(rest ?? ''))) found.push({ text: piece, place })
  }
  return found
}

/** The paragraphs of a page whose lines have been joined already. */
export const paragraphsOfPage = (blocks: readonly string[], page: number): Paragraph[] =>
  blocks.flatMap(block => [...pieces(joined(block))]).map(text => ({ text, place: `page ${page}` }))
