// The engine worker's end of the line, in a browser.
import type { CreateModule, ThreadWorker } from '../engine.js'
import { HeedError } from '../errors.js'
import { fetchSuccessfully } from '../fetch.js'
import type { Port } from '../worker.js'
import { runScript, started, startWorker } from './start-worker.js'

const turns = new MessageChannel()

/**
 * A message to ourselves: unlike a timer, it comes back without a pause, behind the messages that already wait.
 */
export const breathe = () => new Promise<void>(resolve => {
  turns.port1.onmessage = () => resolve()
  turns.port2.postMessage(null)
})

export const browserPort: Port = {
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  listen(onMessage) {
    self.onmessage = ({ data }) => onMessage(data)
    self.postMessage(started)
  },
  breathe,
  async readGlue(address) {
    await runScript(address)
    return (globalThis as unknown as { heedGlue: CreateModule }).heedGlue
  },
  compile,
  startThread: address => startWorker(address, 'em-pthread') as Promise<ThreadWorker>,
}

/**
 * Fetches and compiles a module. Throws `network`, or `unsupported` where the browser or the page's policy
 * refuses it.
 */
export async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetchSuccessfully(address)
  const type = response.headers.get('Content-Type')
  if (type?.startsWith('text/html')) {
    throw new HeedError('network', `${address} is an HTML page: the server has no such file. Serve the files heed-* of the `
      + 'package\'s folder dist, or name their folder by the option `assets`.')
  }
  try {
    // Streaming lets the browser keep the compiled code, but insists on the content type.
    if (type?.startsWith('application/wasm')) return await WebAssembly.compileStreaming(response)
    return await WebAssembly.compile(await response.arrayBuffer())
  } catch (error) {
    const code = error instanceof WebAssembly.CompileError ? 'unsupported' : 'network'
    throw new HeedError(code, `${address}: ${(error as Error).message}`)
  }
}
