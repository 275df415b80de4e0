// The bubble of an answer: its pieces as they arrive, how it ended, and its actions.
import { isAccepted, isSound } from '../../media/medium.js'
import { button, make } from '../../support/dom.js'
import { paceInWords, readingInWords } from '../../writing/figures.js'
import { FillingView } from '../../unmasking/filling-view.js'
import { begunIn } from '../../conversation/continuing.js'
import type { AnswerTurn, Ending } from '../../conversation/turns.js'
import { type Bubble, type BubbleActions, copyButton } from './bubble.js'
import { type PieceView, type Revealed, revealedOf, viewOf } from './pieces.js'
import { makeStepper } from './stepper.js'

const ends: Partial<Record<Ending['reason'], string>> = {
  length: 'The answer has reached the longest length (“Max tokens” under “Sampling”).',
  context: 'The model’s context is full, so the answer ends here.',
  abort: 'Stopped.',
  steps: 'Stopped after too many tool calls.',
}

export interface AnswerBubble extends Bubble {
  /** The place for the explanation of the attention shown. */
  readonly said: HTMLElement
  /** Shows the answer's texts as far as `part`; undefined: all of them. */
  reveal(part: Revealed | undefined): void
  /** Marks whether the answer's attention is shown. */
  mark(isLookedAt: boolean): void
  /** Shows an explanation of the attention shown, and brings it into view if `isBrought`. */
  explain(text: string, isBrought: boolean): void
  /** Offers to show the source of the answer, or stops offering it. */
  offerSource(isOffered: boolean): void
}

export function answerBubble(turn: AnswerTurn, actions: BubbleActions): AnswerBubble {
  const stepper = makeStepper(turn, (to, step) => actions.choose(to, step))
  const views: PieceView[] = []
  const body = make('div', { className: 'answer' })
  const waits = waitsFor(turn)
  let filling: FillingView | undefined
  const waiting = make('p', { className: 'waiting' }, waits)
  const note = make('p', { className: 'ending', hidden: true })
  const caption = make('p', { className: 'found', role: 'status' })
  const copy = copyButton(turn)
  const link = button('Copy link', () => actions.link(turn), 'Copy link to this answer')
  const look = button('Show attention', () => actions.look(turn))
  const find = button('Where did it find that?', () => actions.findSource(turn))
  find.hidden = true
  const regenerate = button('', () => {
    if (turn.before?.role === 'user') actions.answer(turn.before)
  })
  regenerate.hidden = turn.before?.role !== 'user'
  const figures = make('span', { className: 'turn-figures' })
  const buttons = make('div', { className: 'turn-actions' }, stepper.place, regenerate, copy, link, look, find, figures)
  const place = make(
    'li',
    { className: 'turn model-turn' },
    make('h3', { className: 'visually-hidden' }, 'The model'),
    body,
    waiting,
    note,
    caption,
    buttons,
  )
  let ended: Ending | undefined
  let revealed: Revealed | undefined

  function showEnd(ending: Ending): void {
    const { reason, error, isFull, seed } = ending
    const isEmpty = turn.pieces.every(piece => piece.kind === 'text' && piece.text.trim() === '')
    const sentence = error ?? ends[reason] ?? (isEmpty ? 'The answer is empty.' : undefined)
    note.replaceChildren(...(sentence ? [make('span', {}, sentence)] : []))
    note.className = reason === 'error' ? 'ending notice' : 'ending'
    note.role = reason === 'error' || reason === 'too-long' ? 'alert' : null
    if (begunIn(turn)) {
      const goOn = button('Continue', () => actions.goOn(turn), 'Continue this answer')
      goOn.classList.add('go-on')
      note.append(' ', goOn)
    }
    const asked = turn.before
    if (isFull && asked?.role === 'user') {
      if (asked.before && !asked.before.isDropped)
        note.append(
          ' ',
          button('Answer again with more room', () => actions.answer(asked)),
        )
      note.append(
        ' ',
        button('Start over', () => actions.startAnew(turn)),
      )
    }
    note.hidden = sentence === undefined
    figures.textContent = ending.tokens === undefined ? '' : paceInWords(ending)
    figures.title = seed === undefined ? '' : `Seed ${seed}`
    const saysNothing = turn.messages.length === 0
    look.hidden = link.hidden = copy.hidden = saysNothing
    const [name, label] = saysNothing && reason === 'abort' ? ['Try again', null] : ['Regenerate', 'Regenerate this answer']
    regenerate.textContent = name
    regenerate.ariaLabel = label
  }

  return {
    place,
    stepper,
    said: caption,
    get parts() {
      return views.flatMap(({ node }, at) => {
        const piece = turn.pieces[at]!
        return piece.kind === 'text' ? [{ element: node, raw: revealedOf(piece.text, revealed) }] : []
      })
    },
    update() {
      const { pieces, ending, readShare, pace } = turn
      if (turn.filling && !filling) body.after((filling = new FillingView()).place)
      filling?.show(turn.filling, ending !== undefined)
      body.hidden = turn.filling !== undefined && !ending // meanwhile, the filling view shows the text
      for (const view of views.splice(pieces.length)) view.node.remove() // the answer is being generated again
      for (const piece of pieces.slice(views.length)) {
        const view = viewOf(piece)
        views.push(view)
        body.append(view.node)
      }
      for (const view of views) view.update(ending !== undefined, revealed)
      // After a tool has run, the model reads again.
      waiting.textContent = readingInWords(readShare, waits)
      waiting.hidden = ending !== undefined || ((pieces.length > 0 || turn.filling !== undefined) && readShare === undefined)
      if (!ending && pace) figures.textContent = paceInWords(pace)
      place.classList.toggle('writing', ending === undefined)
      place.classList.toggle('dropped', turn.isDropped)
      place.ariaBusy = `${ending === undefined}`
      buttons.inert = ending === undefined
      if (ending === ended) return
      ended = ending
      if (ending) showEnd(ending)
      else note.hidden = true // the answer goes on, or is generated again
    },
    focus() {
      buttons.querySelector<HTMLElement>('button.quiet:not([hidden])')!.focus({ preventScroll: true })
    },
    reveal(part) {
      revealed = part
      for (const view of views) view.update(turn.ending !== undefined, part)
    },
    mark(isLookedAt) {
      look.ariaPressed = `${isLookedAt}`
    },
    explain(text, isBrought) {
      caption.textContent = text
      if (isBrought) caption.scrollIntoView({ block: 'nearest' })
    },
    offerSource(isOffered) {
      find.hidden = !isOffered
    },
  }
}

/** A sentence about what the model does before its first word. */
function waitsFor({ model, before }: AnswerTurn): string {
  if (!model || before?.role !== 'user') return 'Reading…'
  const read = before.pictures.filter(medium => isAccepted(medium, model.info))
  if (read.length === 0) return 'Reading…'
  if (read.some(isSound)) return 'Listening…'
  return `Looking at the ${read.length === 1 ? 'picture' : 'pictures'}…`
}
