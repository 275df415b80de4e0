// The settings of a blank conversation, which the user has chosen in the previous conversation or in free text. Other conversations
// have their settings in their own records.
import type { ChatView } from '../chat/chat-view.js'
import type { Desk } from '../keeping/desk.js'
import { type Circumstances, isCircumstances } from '../keeping/record.js'
import { asRecord, asText } from './reading.js'

interface Stored {
  readonly system: string
  readonly circumstances: Circumstances
}

export function keepSettings(desk: Desk, { conversation, keeper, settings }: ChatView): void {
  const { system, circumstances } = asRecord<Stored>(desk.found.get('settings'))
  if (keeper.isAtRest && isCircumstances(circumstances)) {
    conversation.system = asText(system)
    settings.show(circumstances)
    keeper.adopt()
  }
  keeper.settings.watch(() => {
    const record = (): Stored => ({ system: conversation.system, circumstances: settings.circumstances })
    desk.keep('settings', keeper.isBlank && !keeper.isAtRest ? record : undefined)
  })
  keeper.clears.watch(clears => {
    if (clears > 0) desk.keep('settings', undefined)
  })
}
