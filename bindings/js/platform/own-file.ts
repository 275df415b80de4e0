// Fetches files of the package. Errors explain how to set up a server or a bundler for them.
import { HeedError } from '../wire/errors.js'
import { fetchSuccessfully, isOffline, unreachable } from './fetch.js'

const ownFiles = 'Serve dist/heed-* of the package beside your script, or set the option `assets` to their folder.'

/** A page of Vite's development server. Before version 8, it serves a copy of the package: see bundled.ts. */
const isOfVite = () => Boolean(globalThis.document?.querySelector?.('script[src*="/@vite/client"]'))

/** The remedy for a missing file of the package. */
const remedyFor = (url: string) =>
  isOffline()
    ? 'For use without a network, a service worker must keep heed-* of the package: see "Offline" in the manual.'
    : url.includes('/node_modules/') && isOfVite()
      ? `Vite before version 8 may need optimizeDeps: { exclude: ['heed'] }; otherwise: ${ownFiles}`
      : ownFiles

/** Fetches a file of the package. An HTML page counts as missing, because many servers send one for unknown addresses. */
export async function fetchOwnFile(url: string): Promise<Response> {
  const response = await fetchSuccessfully(url, remedyFor(url))
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response
  throw new HeedError('network', `${url} is an HTML page: the server has no such file. ${remedyFor(url)}`)
}

/** The bytes of a file of the package. Throws `network`, also if not all arrive. */
export const fetchOwnBytes = async (url: string): Promise<ArrayBuffer> =>
  (await fetchOwnFile(url)).arrayBuffer().catch((error: Error) => {
    throw unreachable(url, error, remedyFor(url))
  })
