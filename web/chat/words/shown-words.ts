// The words of an element as they stand on the screen, and where they are in the text that it shows. The element stays as it is: no
// word has an element of its own, so that selecting, searching and reading aloud are those of any text.

/** A word, or what of it is in one node: [from, to) of the node's text. */
export interface ShownWord {
  readonly text: string
  readonly node: Text
  readonly from: number
  readonly to: number
  /** Where it begins in the text that the element shows. */
  readonly at: number
}

/** What belongs to the page and not to the text. */
const ours = 'button, .code > p'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Of elements whose text has not changed since. */
const known = new WeakMap<HTMLElement, { readonly raw: string; readonly words: readonly ShownWord[] }>()

/** The same, and kept: a long answer has thousands, and the pointer asks at each step. */
export function wordsIn(element: HTMLElement, raw: string): readonly ShownWord[] {
  const old = known.get(element)
  if (old?.raw === raw && old.words.every(({ node, to }) => node.isConnected && to <= node.length)) return old.words
  const words = findWords(element, raw)
  known.set(element, { raw, words })
  return words
}

/** Markup of the text, such as that of Markdown, is not shown: the words are found in it one after another. */
function findWords(element: HTMLElement, raw: string): ShownWord[] {
  const words: ShownWord[] = []
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let at = 0
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.parentElement!.closest(ours)) continue
    for (const { segment, index, isWordLike } of segmenter.segment(node.data)) {
      if (!isWordLike) continue
      const found = raw.indexOf(segment, at)
      if (found < 0) continue
      at = found + segment.length
      words.push({ text: segment, node, from: index, to: index + segment.length, at: found })
    }
  }
  return words
}

export function rangeOf({ node, from, to }: ShownWord): Range {
  const range = new Range()
  range.setStart(node, Math.min(from, node.length))
  range.setEnd(node, Math.min(to, node.length))
  return range
}

interface Caret {
  readonly node: Node
  readonly offset: number
}

/** The place in a text at a point of the window; WebKit has another name for it than the standard. */
function caretAt(x: number, y: number): Caret | undefined {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y)
    return found ? { node: found.offsetNode, offset: found.offset } : undefined
  }
  const range = document.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined
}

/** The word at a point of the window. A point beside a line is at none, though the caret goes there. */
export function wordAt(words: readonly ShownWord[], x: number, y: number): ShownWord | undefined {
  const caret = caretAt(x, y)
  const word =
    caret &&
    words.find(
      ({ node, from, to }) =>
        node === caret.node &&
        from <= caret.offset &&
        caret.offset <= to &&
        [...rangeOf({ node, from, to } as ShownWord).getClientRects()].some(
          ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
        ),
    )
  return word
}
