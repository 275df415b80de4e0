// Registers the page's service worker, which caches its files for offline use and isolates it if the host does not.
import { isolate } from 'heed/isolation'

const serviceWorker = new URL('service-worker.js', document.baseURI)

/** If the host does not isolate the page, reloads it once under the service worker, which does. */
export const needIsolation = () => isolate({ serviceWorker })

/** Makes the service worker cache all files of the page, and says so in `place` once they are. */
export async function keepForOffline(place: HTMLElement): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.register(serviceWorker)
    registration.update().catch(() => {}) // checks for a new version; fails when offline
    const { active } = await navigator.serviceWorker.ready
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => {
      if (data === 'kept') place.textContent = 'The page now also works without a network.'
    }
    active!.postMessage('keep', [port2])
  } catch {
    // Blocked, or the network failed: the next visit tries again.
  }
}
