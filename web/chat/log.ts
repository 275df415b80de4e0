// The turns in view, as a list of bubbles. The end stays in view while an answer grows, unless the user has scrolled away. In a
// long conversation, earlier turns are shown as the user scrolls up, or prints.
import { button, byId, make } from '../support/dom.js'
import { answerBubble, type AnswerBubble } from './bubbles/answer-bubble.js'
import type { Bubble, BubbleActions } from './bubbles/bubble.js'
import type { Revealed } from './bubbles/pieces.js'
import { userBubble } from './bubbles/user-bubble.js'
import type { Conversation } from '../conversation/conversation.js'
import { Frames } from '#elements/support/frames.js'
import type { AnswerTurn, Turn } from '../conversation/turns.js'
import type { Copied } from '../sharing/offer.js'
import type { Part } from './words/parts.js'

/** The distance from the end, in pixels, that still counts as the end. */
const nearEnd = 48

/** Margins, in pixels, for scrolling into view: around elements; above a single word, about one line. */
const margin = 8
const around = 32

/** How long to show the message that everything was copied. */
const toldMs = 8000

/** The number of turns to add at once. The list begins with the last ones, and never has more than it needs to show. */
const turnsAtOnce = 100

export class Log {
  readonly #conversation: Conversation
  readonly #actions: BubbleActions
  readonly place = byId('chat-log', HTMLOListElement)
  readonly #bubbles = new WeakMap<Turn, Bubble>()
  readonly #changed = new Set<Turn>()
  readonly #frames = new Frames(() => this.#paint())
  #isAtEnd = true
  /** The scroll position at the last check. */
  #scrolledTo = 0
  #lookedAt?: AnswerTurn
  /** The answer whose bubble shows an explanation of its attention, or a message: only one at a time does. */
  #explanation?: { readonly turn: AnswerTurn }
  /** The first turn of the path that is shown. */
  #from = 0
  readonly #earlier = make(
    'li',
    { className: 'earlier' },
    button('Show earlier turns', () => this.#showEarlier()),
  )

  /** Marks the first turn that the model still reads. */
  readonly #cut = make(
    'li',
    { className: 'cut' },
    'The model no longer reads what is above this line: the conversation is longer than its context.',
  )

  #handovers?: Promise<typeof import('./handovers.js')>
  #writer?: string

  /** Shown while the conversation is empty. */
  readonly #beginning: HTMLLIElement

  constructor(conversation: Conversation, beginning: HTMLLIElement, actions: BubbleActions) {
    this.#conversation = conversation
    this.#beginning = beginning
    this.#actions = actions
    this.place.addEventListener('scroll', () => this.#noticeScrolling())
    new IntersectionObserver(
      entries => {
        if (entries.at(-1)!.isIntersecting) this.#showEarlier()
      },
      { root: this.place, rootMargin: '200px 0px 0px' },
    ).observe(this.#earlier)
    conversation.path.watch(path => this.#show(path))
    addEventListener('beforeprint', () => {
      while (this.#earlier.isConnected) this.#showEarlier()
    })
  }

  /** The name of the model that writes the next answer. */
  set writer(writer: string | undefined) {
    this.#writer = writer
    this.#showLines()
  }

  /** Scrolls to the end, and stays there. */
  toEnd(): void {
    this.#isAtEnd = true
    if (this.#conversation.last) this.#scrollToEnd()
  }

  /** Scrolls the page, too, until the last turn is visible, unless the user has scrolled away from the end. */
  bringLast(): void {
    if (!this.#isAtEnd) return
    this.toEnd()
    this.place.lastElementChild?.scrollIntoView({ block: 'nearest' })
  }

  /** Focuses an arrow of a turn's stepper. */
  focusStepper(turn: Turn, step: -1 | 1): void {
    this.#bubbleOf(turn).stepper.focus(step)
  }

  /** Marks the answer whose attention is shown. */
  mark(turn: AnswerTurn | undefined): void {
    if (this.#lookedAt) (this.#bubbleOf(this.#lookedAt) as AnswerBubble).mark(false)
    this.#lookedAt = turn
    if (turn) (this.#bubbleOf(turn) as AnswerBubble).mark(true)
  }

  /** Shows an explanation of the attention in an answer's bubble, and brings it into view if `isBrought`. */
  explain(turn: AnswerTurn, text: string, isBrought = true): void {
    if (this.#explanation?.turn !== turn) this.leaveUnexplained()
    this.#explanation = { turn }
    ;(this.#bubbleOf(turn) as AnswerBubble).explain(text, isBrought)
  }

  /** Shows the result of a copy in an answer's bubble, and removes it after a while if everything was copied. */
  tell(turn: AnswerTurn, { message, isWhole }: Copied): void {
    this.explain(turn, message)
    if (!isWhole) return
    const told = this.#explanation
    setTimeout(() => {
      if (this.#explanation === told) this.leaveUnexplained()
    }, toldMs)
  }

  /** Removes the explanation that is shown. */
  leaveUnexplained(): void {
    if (this.#explanation) (this.#bubbleOf(this.#explanation.turn) as AnswerBubble).explain('', false)
    this.#explanation = undefined
  }

  /** Sets whether an answer has a source that can be shown. */
  offerSource(turn: AnswerTurn, isOffered: boolean): void {
    ;(this.#bubbleOf(turn) as AnswerBubble).offerSource(isOffered)
    if (this.#isAtEnd && turn === this.#conversation.last) this.#scrollToEnd()
  }

  /** The parts of a turn that are texts as they were written. */
  partsOf(turn: Turn): readonly Part[] {
    return this.#bubbleOf(turn).parts
  }

  /** The place for the explanation of an answer's attention. */
  saidOf(turn: AnswerTurn): HTMLElement {
    return (this.#bubbleOf(turn) as AnswerBubble).said
  }

  /**
   * Scrolls the list until a word and the element beside it are visible. With `must`, if there is not enough room, at least the
   * word becomes visible, and at the end of the list, the page scrolls, because a sheet may cover that end.
   */
  bring(word: Range, beside: Range | Element = word, must = false): void {
    while (this.#from > 0 && !this.place.contains(word.startContainer)) this.#showEarlier()
    const { top, bottom } = this.#inSight
    const [wanted, other] = [word.getBoundingClientRect(), beside.getBoundingClientRect()]
    const [from, to] = [Math.min(wanted.top, other.top), Math.max(wanted.bottom, other.bottom)]
    if (from >= top && to <= bottom) return
    const areBoth = to - from + 2 * margin <= bottom - top
    if (!areBoth && !must) return
    const by = !areBoth ? wanted.top - around - top : from < top ? from - margin - top : to + margin - bottom
    const before = this.place.scrollTop
    this.place.scrollTop += by
    if (must) scrollBy(0, by - (this.place.scrollTop - before))
    this.#noticeScrolling()
  }

  /** The visible part of the list, which a sheet may cover. */
  get #inSight(): { top: number; bottom: number } {
    const { top, bottom } = this.place.getBoundingClientRect()
    const sheet = document.querySelector<HTMLElement>('.sheet')?.offsetTop // its final position: it may be rising
    return { top: Math.max(top, 0), bottom: Math.min(bottom, sheet ?? innerHeight, innerHeight) }
  }

  /** Shows the part of an answer that the viewer has revealed so far; without `part`, all of it. */
  reveal(turn: AnswerTurn, part?: Revealed): void {
    ;(this.#bubbleOf(turn) as AnswerBubble).reveal(part)
    if (part && this.#isAtEnd) this.#scrollToEnd()
  }

  /** Hides the text of an answer that will be shown token by token, and reserves its space. */
  hold(turn: AnswerTurn, isHeld: boolean): void {
    this.#bubbleOf(turn).place.classList.toggle('held', isHeld)
  }

  /** Focuses the actions of a turn. */
  focus(turn: Turn): void {
    this.#bubbleOf(turn).focus()
  }

  /** The element of a turn. */
  placeOf(turn: Turn): HTMLElement {
    return this.#bubbleOf(turn).place
  }

  /** Bubbles that stay are not moved, because one may have the focus or be open for editing. */
  #show(path: readonly Turn[]): void {
    if (path.length === 0) return this.place.replaceChildren(this.#beginning)
    const isNew = !this.#bubbles.get(path[this.#from]!)?.place.isConnected
    if (isNew) this.#from = Math.max(path.length - turnsAtOnce, 0)
    const shown = path.slice(this.#from)
    const bubbles = shown.map(turn => this.#bubbleOf(turn))
    const places = new Set<Element>(bubbles.map(({ place }) => place)).add(this.#earlier).add(this.#cut)
    for (const old of [...this.place.children]) if (!places.has(old)) old.remove()
    if (this.#from === 0) this.#earlier.remove()
    else if (!this.#earlier.isConnected) this.place.prepend(this.#earlier)
    for (const { place } of bubbles) if (!place.isConnected) this.place.append(place)
    shown.forEach((turn, at) => this.#update(turn, bubbles[at]!))
    this.#showLines()
  }

  /** Draws a line wherever another model writes on. Most conversations are of one model: the script is loaded when two are. */
  #showLines(): void {
    this.#showCut()
    const names = new Set(this.#conversation.writers)
    if (this.#writer) names.add(this.#writer)
    if (names.size > 1) this.#handovers ??= import('./handovers.js')
    void this.#handovers?.then(({ showHandovers }) => {
      showHandovers(this.place, this.#conversation.path.value, this.#writer, turn => this.#bubbles.get(turn)?.place)
      if (this.#isAtEnd) this.#scrollToEnd()
    })
  }

  #showCut(): void {
    const { cut } = this.#conversation
    const place = cut && this.#bubbles.get(cut)?.place
    if (!place?.isConnected) this.#cut.remove()
    else if (place.previousElementSibling !== this.#cut) place.before(this.#cut)
  }

  /** Adds earlier turns without moving the shown ones on the screen. */
  #showEarlier(): void {
    const path = this.#conversation.path.value
    const before = path.slice(Math.max(this.#from - turnsAtOnce, 0), this.#from)
    const [height, top] = [this.place.scrollHeight, this.place.scrollTop]
    this.#from -= before.length
    this.#earlier.after(...before.map(turn => this.#bubbleOf(turn).place))
    if (this.#from === 0) {
      const hadFocus = this.#earlier.contains(document.activeElement)
      this.#earlier.remove()
      if (hadFocus) this.place.focus({ preventScroll: true })
    }
    for (const turn of before) this.#update(turn, this.#bubbleOf(turn))
    this.#showLines()
    this.place.scrollTop = top + this.place.scrollHeight - height
    this.#scrolledTo = this.place.scrollTop
  }

  #update(turn: Turn, bubble: Bubble): void {
    bubble.stepper.update(this.#conversation.siblings(turn))
    bubble.update()
  }

  #bubbleOf(turn: Turn): Bubble {
    const known = this.#bubbles.get(turn)
    if (known) return known
    const bubble = turn.role === 'user' ? userBubble(turn, this.#actions) : answerBubble(turn, this.#actions)
    this.#bubbles.set(turn, bubble)
    if (turn.role === 'assistant') {
      let isKnown = false
      let { ending } = turn
      turn.changes.watch(() => {
        if (!isKnown) return // already included: painting the list for each turn would take long
        this.#changed.add(turn)
        if (turn.ending || ending) this.#frames.flush()
        else this.#frames.request()
        ending = turn.ending // an answer may go on
      })
      isKnown = true
    }
    return bubble
  }

  #paint(): void {
    this.#noticeScrolling() // the event may come after the end of the answer
    for (const turn of this.#changed) this.#bubbles.get(turn)?.update()
    this.#changed.clear()
    if (this.#isAtEnd) this.#scrollToEnd()
  }

  #scrollToEnd(): void {
    this.place.scrollTop = this.place.scrollHeight
    this.#scrolledTo = this.place.scrollTop
  }

  /** Added text does not scroll the list: only the user does. */
  #noticeScrolling(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.place
    if (scrollTop === this.#scrolledTo) return
    this.#scrolledTo = scrollTop
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight < nearEnd
  }
}
