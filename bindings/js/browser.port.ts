// The engine worker's end of the line, in a browser, and the WebAssembly module that it runs.
import { HeedError } from './errors.js'
import { fetchSuccessfully } from './fetch.js'
import type { Port } from './worker.js'

const turns = new MessageChannel()

export const browserPort: Port = {
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  listen(onMessage) {
    self.onmessage = ({ data }) => onMessage(data)
  },
  // A message to ourselves: unlike a timer, it comes back without a pause, behind the messages that already
  // wait.
  breathe: () => new Promise(resolve => {
    turns.port1.onmessage = () => resolve()
    turns.port2.postMessage(null)
  }),
}

/**
 * Fetches and compiles a module. Throws `network`, or `unsupported` where the browser or the page's policy
 * refuses it.
 */
export async function compileFrom(url: URL): Promise<WebAssembly.Module> {
  const response = await fetchSuccessfully(url.href)
  // Streaming lets the browser keep the compiled code, but insists on the content type.
  const streams = response.headers.get('Content-Type')?.startsWith('application/wasm')
  try {
    if (streams) return await WebAssembly.compileStreaming(response)
    return await WebAssembly.compile(await response.arrayBuffer())
  } catch (error) {
    const code = error instanceof WebAssembly.CompileError ? 'unsupported' : 'network'
    throw new HeedError(code, `${url}: ${(error as Error).message}`)
  }
}
