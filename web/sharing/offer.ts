// The buttons that copy the page's state as a link or as code: of a text, or of a conversation.
import { byId } from '../support/dom.js'
import { type LinkedChat, linkToChat } from './chat-link.js'
import { type Linked, linkTo } from './link.js'

interface Shared {
  /** A text's state or, if a link cannot express it, a sentence that says why. */
  text(): Linked | string
  /** The same of a conversation. */
  chat(): Promise<LinkedChat | string>
  /** The same of that of both which is in view. */
  inView(): Promise<Linked | LinkedChat | string>
}

export function offerSharing({ text, chat, inView }: Shared): void {
  /** `textOf` gives the text to copy, or nothing if it is too long. */
  function offer<State>(
    id: string,
    statusId: string,
    name: string,
    state: () => Promise<State | string> | State | string,
    textOf: (linked: State) => Promise<string | undefined> | string | undefined,
  ) {
    const status = byId(statusId, HTMLElement)
    byId(id, HTMLButtonElement).addEventListener('click', async () => {
      const linked = await state()
      const copied = typeof linked === 'string' ? undefined : await textOf(linked as State)
      if (copied === undefined) {
        status.textContent = typeof linked === 'string' ? linked : 'This conversation is too long for a link: export it.'
        return
      }
      try {
        await navigator.clipboard.writeText(copied)
        const isPartial = typeof linked === 'object' && linked !== null && 'withoutPictures' in linked
        status.textContent = isPartial
          ? `${name} copied. The pictures are not in it: export the conversation to keep them.`
          : `${name} copied.`
      } catch {
        const remedy = name === 'Link' ? 'the link is in the address bar' : 'allow it, and try again'
        status.textContent = `The browser does not let the page copy: ${remedy}.`
      }
    })
  }
  const shown = (link: string) => {
    history.replaceState(history.state, '', link) // what is in view stays what it is
    return link
  }
  offer('copy-link', 'copied', 'Link', text, linked => shown(linkTo(location.href, linked)))
  offer('copy-code', 'copied', 'Code', text, async linked => (await import('./code.js')).codeFor(linked))
  const toChat = async (linked: LinkedChat) => {
    const link = await linkToChat(location.href, linked)
    return link && shown(link)
  }
  offer('chat-link', 'chat-note', 'Link', chat, toChat)
  for (const view of ['lens', 'edits', 'attribution']) {
    offer(`${view}-link`, `${view}-note`, 'Link', inView, linked =>
      'messages' in linked ? toChat(linked) : shown(linkTo(location.href, linked)),
    )
  }
}
