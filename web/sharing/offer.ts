// The buttons that copy what the page shows: as a link, and as code.
import { byId } from '../support/dom.js'
import { codeFor } from './code.js'
import { type Linked, linkTo } from './link.js'

const isFile = 'The model is a file of yours, which a link cannot bring: load it from an address.'

/** `state` is what the page shows, or nothing where that cannot be said in a link. */
export function offerSharing(state: () => Linked | undefined): void {
  const status = byId('copied', HTMLSpanElement)
  const offer = (id: string, name: string, textOf: (linked: Linked) => string) => {
    byId(id, HTMLButtonElement).addEventListener('click', async () => {
      const linked = state()
      if (!linked) {
        status.textContent = isFile
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
