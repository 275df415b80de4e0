// Fetches files. A failure is a HeedError with the address, the cause and a remedy.
import { HeedError } from './errors.js'

const ownFiles = 'Serve the heed-* files of the package\'s dist folder beside your script, or set the option `assets` to '
  + 'their folder.'

/** What to do about a missing file of the package. */
const remedyFor = (url: string) => url.includes('/node_modules/')
  ? `With Vite before version 8, add optimizeDeps: { exclude: ['heed'] } to its configuration; otherwise: ${ownFiles}` : ownFiles

/** The error if no server answers. */
export const unreachable = (url: string, error: Error, remedy = '') => new HeedError('network',
  `${url} cannot be fetched: ${error.message}. Is there a network, does a server of another `
  + 'origin allow this page (Access-Control-Allow-Origin), and does the page\'s Content-Security-Policy allow the '
  + `URL (connect-src 'self', or its origin)? ${remedy}`.trimEnd())

/** Throws `network` if there is no response, or its status is not a success. */
export async function fetchSuccessfully(url: string, remedy = ''): Promise<Response> {
  const response = await fetch(url).catch((error: Error) => {
    throw unreachable(url, error, remedy)
  })
  if (response.ok) return response
  throw new HeedError('network', `${url}: ${`HTTP ${response.status} ${response.statusText}`.trimEnd()}. ${remedy}`.trimEnd())
}

/** Fetches a file of the package. An HTML page counts as missing, because many servers send one for unknown addresses. */
export async function fetchOwnFile(url: string): Promise<Response> {
  const response = await fetchSuccessfully(url, remedyFor(url))
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response
  throw new HeedError('network', `${url} is an HTML page: the server has no such file. ${remedyFor(url)}`)
}
