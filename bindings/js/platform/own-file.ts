// Fetches files of the package. The error says how a server or a bundler must be set up for them.
import { HeedError } from '../wire/errors.js'
import { fetchSuccessfully } from './fetch.js'

const ownFiles = 'Serve dist/heed-* of the package beside your script, or set the option `assets` to their folder.'

/** What to do about a missing file of the package. */
const remedyFor = (url: string) => url.includes('/node_modules/')
  ? `Vite before version 8 needs optimizeDeps: { exclude: ['heed'] }; otherwise: ${ownFiles}` : ownFiles

/** Fetches a file of the package. An HTML page counts as missing, because many servers send one for unknown addresses. */
export async function fetchOwnFile(url: string): Promise<Response> {
  const response = await fetchSuccessfully(url, remedyFor(url))
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response
  throw new HeedError('network', `${url} is an HTML page: the server has no such file. ${remedyFor(url)}`)
}
