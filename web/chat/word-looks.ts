// The words of answers: each can be chosen, by pointer or with arrow keys in the list of turns. The words that it, or the viewer's
// selected token, looked at are lit in the bubbles. The scripts for that are loaded at the first choice.
import type { HeedViewer } from 'heed/viewer'
import type { MeasuredHead } from '../lesson/heads.js'
import { percent } from '../support/format.js'
import type { AnswerInViewer } from './answer-in-viewer.js'
import type { Conversation } from '../conversation/conversation.js'
import type { FirstExample } from './first/first-example.js'
import type { Log } from './log.js'
import type { AnswerTurn, Turn } from '../conversation/turns.js'
import type { Look, LookedAt } from './words/looked-at.js'

/** The most words to name among those that a word looked at. */
const mostNamed = 3

/** A sentence that names the words that a word looked at, strongest first; a word that occurs several times is named once. */
export function inWords({ word, at }: Look, isOwn: boolean): string {
  const shares = new Map<string, number>()
  for (const { text, share } of at) shares.set(text, (shares.get(text) ?? 0) + share)
  const named = [...shares]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostNamed)
    .map(([text, share]) => `“${text}” (${percent(share).replaceAll(' ', '\u00a0')})`)
  const begin = isOwn ? `To write “${word}”, it looked` : `Before “${word}”, it looks`
  if (named.length === 0) return `${begin} at no word in particular.`
  return `${begin} back at ${named.length === 1 ? named[0] : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`}.`
}

export class WordLooks {
  readonly #viewer: HeedViewer
  readonly #log: Log
  readonly #conversation: Conversation
  readonly #inViewer: AnswerInViewer
  readonly #example: FirstExample
  readonly #head: () => MeasuredHead | undefined
  #room?: Promise<LookedAt>
  /** The answer whose words are being chosen, shown in the head for answers. */
  #turned?: AnswerTurn

  /** Chooses the word of the example that was chosen before the model had loaded. */
  #early?: () => void

  /** `head` returns the model's head for answers, if it has one. */
  constructor(
    viewer: HeedViewer,
    log: Log,
    conversation: Conversation,
    inViewer: AnswerInViewer,
    example: FirstExample,
    head: () => MeasuredHead | undefined,
  ) {
    this.#viewer = viewer
    this.#log = log
    this.#conversation = conversation
    this.#inViewer = inViewer
    this.#example = example
    this.#head = head
    const { place } = log
    place.addEventListener('click', event => {
      // A click may also end a text selection, or be on a link or a control.
      if (!getSelection()?.isCollapsed || (event.target as Element).closest('a, button, summary, textarea')) return
      if (example.isComing(event.target as Element)) return this.#wait(event)
      void this.#use(room => room.choose(event.clientX, event.clientY))
    })
    place.addEventListener('pointermove', event => {
      if (event.pointerType === 'mouse' && event.buttons === 0) void this.#hint(event.clientX, event.clientY)
    })
    place.addEventListener('keydown', event => {
      if (event.target !== place || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (event.key === 'Escape' && !document.querySelector('.sheet')) this.#letGo(event)
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      event.preventDefault()
      void this.#step(event.key === 'ArrowLeft' ? -1 : 1)
    })
    for (const name of ['tokenselect', 'layerchange', 'headchange', 'measurechange', 'passagechange'] as const) {
      viewer.addEventListener(name, () => void this.#follow())
    }
    conversation.path.watch(path => {
      if (path.length > 0) this.#early = undefined
      this.clear()
    })
    example.confirmed.watch(() => this.#early?.())
  }

  /**
   * A word of the example was chosen before the model has generated it: says so, and shows what it looked at once that is known.
   */
  #wait({ target, clientX, clientY }: MouseEvent): void {
    const place = target as Element
    const { left, top } = place.getBoundingClientRect()
    this.#example.tell('What this word looked at is shown once the model is loaded.')
    this.#early = () => {
      this.#early = undefined
      const now = place.getBoundingClientRect()
      void this.#use(room => room.choose(now.left + clientX - left, now.top + clientY - top))
    }
  }

  /** Deselects the chosen word, if there is one: removes its lights, its selection in the viewer, and its explanation. */
  #letGo(event: KeyboardEvent): void {
    const { shown } = this.#inViewer
    const isChosen = this.#viewer.token !== undefined && shown !== undefined && shown !== this.#example.turn
    if (!this.#turned && !isChosen) return
    event.preventDefault()
    this.clear()
    this.#log.leaveUnexplained()
    if (isChosen) this.#viewer.token = undefined
  }

  /** Removes all lights. */
  clear(): void {
    this.#turned = undefined
    if (!this.#early) this.#example.tell(undefined)
    void this.#room?.then(room => room.clear())
  }

  /**
   * Lights the words that the selected token looks at, and scrolls to the strongest one, with the explanation if there is room for
   * both. The token stands for the word at the position `word`.
   */
  async bring(turn: AnswerTurn, word: number): Promise<void> {
    await this.#use(async room => {
      room.clear(word)
      void room.follow(this.#inViewer.shown)
      await room.settled()
      const [most] = room.lit
      if (most) this.#log.bring(most, this.#log.saidOf(turn), true)
    })
  }

  async #use<Result>(act: (room: LookedAt) => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act(await (this.#room ??= this.#fetch()))
    } catch {
      this.#room = undefined // its script could not be loaded; the next call tries again
      return undefined
    }
  }

  async #fetch(): Promise<LookedAt> {
    const { LookedAt } = await import('./words/looked-at.js')
    return new LookedAt(
      this.#viewer,
      {
        answers: () => this.#answers(),
        partsOf: turn => this.#partsOf(turn),
        partsTo: turn => {
          const turns: Turn[] = []
          for (let at: Turn | undefined = turn; at; at = at.before) turns.unshift(at)
          return turns.flatMap(turn => this.#partsOf(turn))
        },
      },
      (turn, tokenOf) => this.#select(turn, tokenOf),
      look => this.#tell(look),
    )
  }

  /** The example, or the finished answers in view. */
  #answers(): readonly AnswerTurn[] {
    const { turn } = this.#example
    if (this.#conversation.path.value.length === 0) return turn ? [turn] : []
    return this.#conversation.path.value.filter(
      (turn): turn is AnswerTurn => turn.role === 'assistant' && turn.ending !== undefined && turn.messages.length > 0,
    )
  }

  #partsOf(turn: Turn) {
    return this.#example.partsOf(turn) ?? this.#log.partsOf(turn)
  }

  async #select(turn: AnswerTurn, tokenOf: Parameters<ConstructorParameters<typeof LookedAt>[2]>[1]): Promise<boolean> {
    const passage = await this.#inViewer.show(turn)
    const token = passage ? tokenOf(passage) : -1
    if (token < 1) return false
    const head = this.#turned === turn ? undefined : this.#head()
    this.#turned = turn
    return this.#inViewer.select(turn, token, head)
  }

  #tell(look: Look): void {
    const {
      turn,
      at: [most],
    } = look
    if (turn === this.#example.turn) return this.#example.tell(inWords(look, true))
    this.#log.explain(turn, inWords(look, turn.steps.length > 0), false)
    if (most) this.#log.bring(most.range, look.looking)
  }

  async #hint(x: number, y: number): Promise<void> {
    const room = await this.#room
    const isOn = room?.hint(x, y) ?? false
    this.#log.place.classList.toggle('on-word', isOn)
  }

  async #step(step: -1 | 1): Promise<void> {
    const range = await this.#use(room => room.step(step))
    if (range) this.#log.bring(range)
  }

  /** Lights what the viewer's selected token looks at, once a token has been selected; in the example, only for a chosen word. */
  async #follow(): Promise<void> {
    const { shown } = this.#inViewer
    const isExample = shown !== undefined && shown === this.#example.turn
    if ((isExample && !this.#turned) || (!this.#room && this.#viewer.token === undefined)) return
    await this.#use(room => room.follow(shown))
  }
}
