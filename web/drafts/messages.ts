// The message that is being written, with its pictures, and messages that were set aside.
import type { ChatView } from '../chat/chat-view.js'
import type { Message } from '../chat/composer.js'
import type { Desk } from '../keeping/desk.js'
import { byId } from '../support/dom.js'
import { type Boxed, bring, keepBox, reset } from './boxes.js'
import { asList, asPictures, asRecord, asText, storedPictures } from './reading.js'

export async function keepMessages(desk: Desk, { aside, attachments, keeper }: ChatView): Promise<void> {
  const box = byId('message', HTMLTextAreaElement)
  const pictures = await asPictures(desk.found.get('pictures'))
  const stored = asList<Message>(desk.found.get('messages aside')).map(async ({ text, pictures }) => ({
    text: asText(text),
    pictures: await asPictures(pictures),
  }))
  const set = await Promise.all(stored)
  bring(box, asText(asRecord<Boxed>(desk.found.get('message')).text), text => set.unshift({ text, pictures: [] }))
  aside.add(set.filter(({ text, pictures }) => text !== '' || pictures.length > 0))
  if (pictures.length > 0) attachments.pictures.value = [...pictures, ...attachments.pictures.value]
  keepBox(desk, 'message', box)
  attachments.pictures.watch(pictures => {
    desk.keep('pictures', pictures.length > 0 ? () => storedPictures(pictures) : undefined)
  })
  aside.list.watch(list => {
    const stored = () => list.map(({ text, pictures }) => ({ text, pictures: storedPictures(pictures) }))
    desk.keep('messages aside', list.length > 0 ? stored : undefined)
  })
  keeper.clears.watch(clears => {
    if (clears === 0) return
    attachments.clear()
    aside.clear()
    reset(box)
  })
}
