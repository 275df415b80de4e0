// Sent messages that are being edited, in the conversation in view and in others.
import type { ChatView } from '../chat/chat-view.js'
import type { Edited, UserTurn } from '../conversation/turns.js'
import { conversationIds, type Desk } from '../keeping/desk.js'
import { byId } from '../support/dom.js'
import { asList } from './reading.js'

interface StoredEdit extends Edited {
  readonly conversation: string
  readonly turn: number
}

const asEdits = (value: unknown): StoredEdit[] =>
  asList<StoredEdit>(value).filter(
    (edit): edit is StoredEdit =>
      typeof edit.conversation === 'string' && typeof edit.turn === 'number' && typeof edit.text === 'string',
  )

export async function keepEdited(desk: Desk, { conversation, keeper }: ChatView): Promise<void> {
  const there = new Set<unknown>(await conversationIds())
  let edits = asEdits(desk.found.get('edited')).filter(edit => there.has(edit.conversation))
  const userTurns = () => conversation.turns.filter((turn): turn is UserTurn => turn.role === 'user')
  /** Saves the current edits of the conversation in view together with the edits of other conversations. */
  function keep(): void {
    const id = keeper.current.value
    const own = userTurns().flatMap(({ id: turn, edited }) => (edited ? [{ conversation: id, turn, ...edited }] : []))
    edits = [...edits.filter(edit => edit.conversation !== id), ...own]
    const stored = edits
    desk.keep('edited', stored.length > 0 ? () => stored : undefined)
  }
  keeper.current.watch(id => {
    const byTurn = new Map(edits.filter(({ conversation }) => conversation === id).map(edit => [edit.turn, edit]))
    for (const turn of userTurns()) {
      const edit = byTurn.get(turn.id)
      if (edit) turn.edited ??= { text: edit.text, isOpen: edit.isOpen === true }
    }
    if (byTurn.size > 0) conversation.refresh()
    keep() // the conversation may have a new id
  })
  for (const event of ['input', 'change']) byId('chat-log', HTMLElement).addEventListener(event, keep)
  keeper.clears.watch(clears => {
    if (clears > 0) edits = []
  })
}
