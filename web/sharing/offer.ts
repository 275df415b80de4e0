// The buttons that copy the page's state as a link or as code: for a text, or for a conversation.
import { byId } from '../support/dom.js'
import { type LinkedChat, linkToChat } from './chat-link.js'
import { type Linked, linkTo } from './link.js'

interface Shared<Turn> {
  /** A text's state or, if a link cannot express it, a sentence that says why. */
  text(): Linked | string
  /** A conversation's state, by default up to its end, or a sentence that says why a link cannot express it. */
  chat(last?: Turn): Promise<LinkedChat | string>
  /** The state of the text or conversation in view, or a sentence that says why a link cannot express it. */
  inView(): Promise<Linked | LinkedChat | string>
}

/** The result of copying. */
export interface Copied {
  /** Says that it was copied and what is missing, or why it was not copied. */
  readonly message: string
  /** Whether everything was copied, so that nothing needs to be explained. */
  readonly isWhole: boolean
}

const not = (message: string): Copied => ({ message, isWhole: false })

/** Copies the text that `textOf` makes of the page's state; `textOf` returns undefined if that would be too long. */
async function copy<State>(
  name: string,
  state: () => Promise<State | string> | State | string,
  textOf: (linked: State) => Promise<string | undefined> | string | undefined,
): Promise<Copied> {
  const linked = await state()
  if (typeof linked === 'string') return not(linked)
  const copied = await textOf(linked as State)
  if (copied === undefined) return not('This conversation is too long for a link: export it.')
  try {
    await navigator.clipboard.writeText(copied)
    const { without } = linked as { without?: string }
    if (without) return not(`${name} copied. The ${without} are not in it: export the conversation to keep them.`)
    return { message: `${name} copied.`, isWhole: true }
  } catch {
    const remedy = name === 'Link' ? 'the link is in the address bar' : 'allow it, and try again'
    return not(`The browser does not let the page copy: ${remedy}.`)
  }
}

/** Returns functions that copy a link: to the conversation up to an answer, or to what is in view. */
export function offerSharing<Turn>({ text, chat, inView }: Shared<Turn>): {
  answer(answer: Turn): Promise<Copied>
  view(): Promise<Copied>
} {
  function offer<State>(id: string, statusId: string, ...how: Parameters<typeof copy<State>>) {
    const status = byId(statusId, HTMLElement)
    byId(id, HTMLButtonElement).addEventListener('click', async () => {
      status.textContent = (await copy(...how)).message
    })
  }
  const shown = (link: string) => {
    history.replaceState(history.state, '', link) // the view does not change
    return link
  }
  offer('copy-link', 'copied', 'Link', text, linked => shown(linkTo(location.href, linked)))
  offer('copy-code', 'copied', 'Code', text, async linked => (await import('./code.js')).codeFor(linked))
  const toChat = async (linked: LinkedChat) => {
    const link = await linkToChat(location.href, linked)
    return link && shown(link)
  }
  offer('chat-link', 'chat-note', 'Link', () => chat(), toChat)
  const toView = (linked: Linked | LinkedChat) => ('messages' in linked ? toChat(linked) : shown(linkTo(location.href, linked)))
  for (const view of ['lens', 'edits', 'attribution']) offer(`${view}-link`, `${view}-note`, 'Link', inView, toView)
  return { answer: answer => copy('Link', () => chat(answer), toChat), view: () => copy('Link', inView, toView) }
}
