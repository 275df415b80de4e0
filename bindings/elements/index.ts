// heed/elements: <heed-chat> and <heed-download>. Importing this file defines them.
import { HeedChat } from './chat/element.js'
import { HeedDownload } from './download/element.js'

export type { HeedChatEvents } from './chat/events.js'
export type { ElementChatOptions } from './chat/element.js'
export type { ElementLoadOptions } from './chat/models.js'
export type { Labels } from './support/labels.js'
export { HeedChat, HeedDownload }

const elements = { 'heed-download': HeedDownload, 'heed-chat': HeedChat }

// Nothing is defined without a DOM, as on a server, or if an element has been defined before.
if (globalThis.customElements) {
  for (const [name, element] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, element)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'heed-chat': HeedChat
    'heed-download': HeedDownload
  }
}
