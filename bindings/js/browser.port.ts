// The engine worker's end of the line, in a browser.
import type { Port } from './worker.js'

const turns = new MessageChannel()

export const browserPort: Port = {
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  listen(onMessage) {
    self.onmessage = ({ data }) => onMessage(data)
  },
  // A message to ourselves: unlike a timer, it comes back without a pause, behind the messages that already wait.
  breathe: () => new Promise(resolve => {
    turns.port1.onmessage = () => resolve()
    turns.port2.postMessage(null)
  }),
}
