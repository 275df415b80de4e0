// The buttons that copy the page's state as a link or as code.
import { byId } from '../support/dom.js'
import { codeFor } from './code.js'
import { type Linked, linkTo } from './link.js'

/** `state` returns the page's state or, if a link cannot express it, a sentence that says why. */
export function offerSharing(state: () => Linked | string): void {
  const status = byId('copied', HTMLSpanElement)
  const offer = (id: string, name: string, textOf: (linked: Linked) => string) => {
    byId(id, HTMLButtonElement).addEventListener('click', async () => {
      const linked = state()
      if (typeof linked === 'string') {
        status.textContent = linked
        return
      }
      try {
        await navigator.clipboard.writeText(textOf(linked))
        status.textContent = `${name} copied.`
      } catch {
        const remedy = name === 'Link' ? 'the link is in the address bar' : 'allow it, and try again'
        status.textContent = `The browser does not let the page copy: ${remedy}.`
      }
    })
  }
  offer('copy-link', 'Link', linked => {
    const link = linkTo(location.href, linked)
    history.replaceState(null, '', link)
    return link
  })
  offer('copy-code', 'Code', codeFor)
}
