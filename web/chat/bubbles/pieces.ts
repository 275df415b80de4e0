// Renders the parts of an answer: text, collapsible reasoning, and tool calls with their results.
import { make } from '../../support/dom.js'
import { milliseconds, plural } from '../../support/format.js'
import { GrowingMarkdown } from '#elements/markdown/growing.js'
import type { Piece } from '../../conversation/turns.js'

export interface PieceView {
  readonly node: HTMLElement
  /**
   * Updates the element to the piece's current state; `isWhole` if nothing more will arrive. Of a text, only the `revealed` part is
   * shown.
   */
  update(isWhole: boolean, revealed?: Revealed): void
}

/** How much of the latest text is shown: the first `length` characters of `whole`. */
export interface Revealed {
  readonly whole: string
  readonly length: number
}

/** The revealed part of a text: all of it, unless it is part of the latest text. */
export function revealedOf(text: string, revealed: Revealed | undefined): string {
  const from = revealed?.whole.indexOf(text) ?? -1
  return from < 0 ? text : text.slice(0, Math.max(revealed!.length - from, 0))
}

export function viewOf(piece: Piece): PieceView {
  switch (piece.kind) {
    case 'text':
      return textView(piece)
    case 'reasoning':
      return reasoningView(piece)
    case 'call':
      return callView(piece)
  }
}

function textView(piece: Extract<Piece, { kind: 'text' }>): PieceView {
  const node = make('div', { className: 'markdown', dir: 'auto' })
  let markdown = new GrowingMarkdown(node)
  let length = 0
  return {
    node,
    update(_, revealed) {
      const text = revealedOf(piece.text, revealed)
      if (text.length < length) {
        node.replaceChildren()
        markdown = new GrowingMarkdown(node)
      }
      length = text.length
      markdown.show(text)
    },
  }
}

/** Open while it is generated, so that progress is visible. */
function reasoningView(piece: Extract<Piece, { kind: 'reasoning' }>): PieceView {
  const summary = make('summary', {}, 'Reasoning…')
  const text = document.createTextNode('')
  const node = make('details', { className: 'reasoning', open: !piece.done }, summary, make('p', { dir: 'auto' }, text))
  let isFolded = piece.done
  return {
    node,
    update(isWhole) {
      const whole = piece.text.trimStart()
      text.appendData(whole.slice(text.data.length))
      if (!piece.done && !isWhole) return
      const { ms, tokens } = piece
      summary.textContent = tokens > 0 ? `Reasoned for ${milliseconds(ms)}, ${plural(tokens, 'token')}` : 'Reasoning'
      if (isFolded) return
      isFolded = true
      node.open = false
    },
  }
}

function callView(piece: Extract<Piece, { kind: 'call' }>): PieceView {
  const given = make('pre', { tabIndex: 0, role: 'group', ariaLabel: `Arguments of ${piece.name}` })
  const gave = make('pre', { tabIndex: 0, role: 'group', hidden: true })
  const state = make('span', {}, 'calling…')
  const node = make(
    'div',
    { className: 'call', role: 'group', ariaLabel: `Call of the tool ${piece.name}` },
    make('p', {}, 'Tool ', make('b', {}, piece.name), ' ', state),
    given,
    gave,
  )
  return {
    node,
    update(isWhole) {
      if (given.textContent !== piece.given) given.textContent = piece.given
      const { result, isError = false } = piece
      gave.hidden = result === undefined
      if (result === undefined) {
        if (isWhole) state.textContent = 'not run'
        return
      }
      state.textContent = isError ? 'failed:' : 'returned:'
      gave.ariaLabel = `Result of ${piece.name}`
      if (gave.textContent !== result) gave.textContent = result
      node.classList.toggle('failed', isError)
    },
  }
}
