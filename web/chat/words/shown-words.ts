// The words of an element as they stand on the screen, with their places in the text that it shows. The element does not change:
// words have no elements of their own, so that selecting, searching and reading aloud work as for any text.

/** A word, or the part of it in one node: [from, to) of the node's text. */
export interface ShownWord {
  readonly text: string
  readonly node: Text
  readonly from: number
  readonly to: number
  /** Its start in the text that the element shows. */
  readonly at: number
}

/** Elements that belong to the page and not to the text. */
const ours = 'button, .code > p'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of elements whose text has not changed since. */
const known = new WeakMap<HTMLElement, { readonly raw: string; readonly words: readonly ShownWord[] }>()

/** The words of an element, cached: a long answer has thousands of words, and each move of the pointer needs them. */
export function wordsIn(element: HTMLElement, raw: string): readonly ShownWord[] {
  const old = known.get(element)
  if (old?.raw === raw && old.words.every(({ node, to }) => node.isConnected && to <= node.length)) return old.words
  const words = findWords(element, raw)
  known.set(element, { raw, words })
  return words
}

/** Markup of the text, such as Markdown's, is not shown, so the words are searched in the text one after the other. */
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

/** The place in a text at a point of the window; WebKit uses another name for it than the standard. */
function caretAt(x: number, y: number): Caret | undefined {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y)
    return found ? { node: found.offsetNode, offset: found.offset } : undefined
  }
  const range = document.caretRangeFromPoint?.(x, y)
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined
}

/** The word at a point of the window. A point beside a line has none, although the caret is placed there. */
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
