// The page's side of its service worker, which keeps its files for offline use and isolates it where the host does not.
import { isolate } from 'heed/isolation'

const serviceWorker = new URL('service-worker.js', document.baseURI)

/** Where the host gives no isolation, reloads the page once under the service worker that does. */
export const needIsolation = () => isolate({ serviceWorker })

/** Has all files of the page kept, and says so in `place` when they are. */
export async function keepForOffline(place: HTMLElement): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.register(serviceWorker)
    registration.update().catch(() => {})  // looks for a new version, where there is a network
    const { active } = await navigator.serviceWorker.ready
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => {
      if (data === 'kept') place.textContent = 'The page now works without a network, too.'
    }
    active!.postMessage('keep', [port2])
  } catch {
    // Blocked, or the network went away in between: the next visit tries again.
  }
}
