// The page's side of its service worker: isolation where the host gives none, and files kept for offline use.

/** Remembers, in this tab, that the page was reloaded for isolation: it is tried once, never in a loop. */
const reloadedKey = 'heed-reloaded-for-isolation'

const register = () => navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI))

/** How long the page waits for its worker to start before it goes on without. */
const patienceMs = 10_000

/**
 * On a host without isolation headers, starts the service worker that adds them and reloads the page, once:
 * then it does not return. Where there is no such worker, or it does not help, the page goes on as it is.
 */
export async function needIsolation(): Promise<void> {
  try {
    if (crossOriginIsolated) return sessionStorage.removeItem(reloadedKey)
    if (!('serviceWorker' in navigator) || sessionStorage.getItem(reloadedKey)) return
    await register()
    const started = await Promise.race([
      navigator.serviceWorker.ready,
      new Promise<undefined>(resolve => { setTimeout(resolve, patienceMs) }),
    ])
    if (!started) return
    sessionStorage.setItem(reloadedKey, 'yes')
    location.reload()
    await new Promise(() => {})
  } catch {
    // Service workers or storage are blocked: one thread then.
  }
}

/** Has all files of the page kept, and says so in `place` when they are. */
export async function keepForOffline(place: HTMLElement): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration = await register()
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
