// heed/isolation: threads on hosts that cannot send the headers for them. A service worker adds the headers to what the
// page loads; the page is reloaded once for it.
import { HeedError } from './errors.js'
import type { WebResponse, WebUrl } from './web-types.js'

export interface IsolateOptions {
  /**
   * The address of the service worker, relative to the page: the file `heed-isolation.js` of the package's folder `dist`, which
   * the site serves at or above the page, or one of your own that answers with `withIsolation`. Default: `heed-isolation.js`.
   */
  serviceWorker?: string | WebUrl
}

/** Remembers, in this tab, that the page was reloaded for isolation: it is tried once, never in a loop. */
const reloadedKey = 'heed-reloaded-for-isolation'

/** How long the page waits for its service worker to start before it goes on without. */
const patienceMs = 10_000

/**
 * Makes the page cross-origin isolated, so that a model loaded after it runs on several threads:
 *
 *     await isolate()
 *     const model = await loadModel()
 *
 * Resolves to whether it is isolated. Where it is not, starts the service worker and reloads the page, once: then it does not
 * resolve. Where service workers or storage are blocked, or the script is not there, it resolves to false, and models run on one
 * thread. Throws `invalid-argument` for an unknown option.
 */
export async function isolate(options: IsolateOptions = {}): Promise<boolean> {
  const unknown = Object.keys(options).find(name => name !== 'serviceWorker')
  if (unknown) throw new HeedError('invalid-argument', `isolate has no option "${unknown}"; it has serviceWorker`)
  try {
    if (crossOriginIsolated) {
      sessionStorage.removeItem(reloadedKey)
      return true
    }
    if (!('serviceWorker' in navigator) || sessionStorage.getItem(reloadedKey)) return false
    await navigator.serviceWorker.register(new URL(options.serviceWorker ?? 'heed-isolation.js', document.baseURI))
    const ready = await Promise.race([
      navigator.serviceWorker.ready,
      new Promise<undefined>(resolve => { setTimeout(resolve, patienceMs) }),
    ])
    if (!ready) return false
    sessionStorage.setItem(reloadedKey, 'yes')
  } catch {
    return false
  }
  location.reload()
  return new Promise(() => {})
}

/**
 * The same response, with the headers that isolate a page; in a service worker of your own:
 *
 *     self.addEventListener('fetch', event => event.respondWith(fetch(event.request).then(withIsolation)))
 */
export function withIsolation(response: WebResponse): WebResponse {
  if (response.status === 0) return response  // opaque: nothing can be added
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
