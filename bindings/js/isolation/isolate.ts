// A page's half of heed/isolation: starts the service worker that isolates the page, and reloads the page once.
import type { WebUrl } from '../types/web.js'
import { refuse } from '../wire/errors.js'
import { checkOptions } from './options.js'

export interface IsolateOptions {
  /**
   * The URL of the service worker, relative to the page: the file `heed-isolation.js` from the package's folder `dist`, which the
   * site serves at or above the page, or your own worker that answers with `withIsolation`. Default: `heed-isolation.js`.
   */
  serviceWorker?: string | WebUrl
}

/** The key of a mark that this tab sets when it reloads for isolation, so that it never reloads in a loop. */
const reloadedKey = 'heed-reloaded-for-isolation'

/** How long the page waits for its service worker to start before it continues without one. */
const patienceMs = 10_000

/**
 * Makes the page cross-origin isolated, so that models loaded afterwards run on several threads.
 *
 * Resolves to whether the page is isolated. If it is not, starts the service worker and reloads the page once; the promise then
 * stays pending. Where the browser has `Document-Isolation-Policy`, embeds and pop-ups of other sites go on working. If service
 * workers or storage are blocked, or the script is missing, it resolves to false, and models run on one thread. Throws
 * `invalid-argument` for an unknown option, or one that is not a URL.
 *
 * @example
 * await isolate()
 * const model = await loadModel()
 */
export async function isolate(options: IsolateOptions = {}): Promise<boolean> {
  checkOptions('isolate', options, 'serviceWorker')
  const { serviceWorker = 'heed-isolation.js' } = options
  if (typeof serviceWorker !== 'string' && !(serviceWorker instanceof URL)) throw refuse('isolate: serviceWorker: expected a URL')
  try {
    if (crossOriginIsolated) {
      sessionStorage.removeItem(reloadedKey)
      return true
    }
    if (!('serviceWorker' in navigator) || sessionStorage.getItem(reloadedKey)) return false
    await navigator.serviceWorker.register(new URL(serviceWorker, document.baseURI))
    const ready = await Promise.race([
      navigator.serviceWorker.ready,
      new Promise<undefined>(resolve => {
        setTimeout(resolve, patienceMs)
      }),
    ])
    if (!ready) return false
    sessionStorage.setItem(reloadedKey, 'yes')
  } catch {
    return false
  }
  location.reload()
  return new Promise(() => {})
}
