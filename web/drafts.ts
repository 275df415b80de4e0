// Saves drafts of this tab, and restores them after a reload: whatever the user has written or set that is not part of a saved
// conversation. Loaded once the page is shown.
import type { HeedViewer } from 'heed/viewer'
import type { ChatView } from './chat/chat-view.js'
import { keepEdited } from './drafts/edited.js'
import { keepEdits } from './drafts/edits.js'
import { keepMessages } from './drafts/messages.js'
import { keepSettings } from './drafts/settings.js'
import { keepPace } from './drafts/pace.js'
import { keepTexts } from './drafts/texts.js'
import type { OwnEdits } from './edits/own.js'
import { Desk } from './keeping/desk.js'
import type { ModelSlot } from './model/slot.js'
import { byId, make } from './support/dom.js'
import type { TextView } from './text-view.js'

export async function keepDrafts(
  chat: ChatView,
  texts: TextView,
  edits: OwnEdits,
  slot: ModelSlot,
  viewer: HeedViewer,
): Promise<Desk> {
  const desk = await Desk.open()
  const { keeper } = chat
  keepSettings(desk, chat)
  keepPace(desk, viewer)
  await keepEdited(desk, chat)
  await keepMessages(desk, chat)
  await keepTexts(desk, texts, slot, keeper)
  keepEdits(desk, edits, keeper)
  tellTrouble(desk, chat)
  keeper.switches.watch(switches => {
    if (switches > 0) desk.switched()
  })
  keeper.clears.watch(clears => {
    if (clears > 0) void desk.clear()
  })
  return desk
}

/** Reports beside a text box that it is not saved; for the conversation, the keeper may have reported it already. */
function tellTrouble(desk: Desk, { keeper }: ChatView): void {
  const notes = ['chat-compose', 'writing'].map(id => {
    const note = make('p', { className: 'chat-note', role: 'status' })
    byId(id, HTMLElement).before(note)
    return note
  })
  const tell = () => {
    notes[0]!.textContent = keeper.trouble.value === '' ? desk.trouble.value : ''
    notes[1]!.textContent = desk.trouble.value
  }
  desk.trouble.watch(tell)
  keeper.trouble.watch(tell)
}
