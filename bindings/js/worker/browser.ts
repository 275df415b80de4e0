// Parts of a browser's port that work in any thread: yielding to messages, memory, and compilation.
import { memoryTold } from '../platform/machine-memory.js'
import { fetchOwnFile } from '../platform/own-file.js'
import { HeedError } from '../wire/errors.js'

const turns = new MessageChannel()
const waiting: (() => void)[] = []

function takeTurn(): void {
  waiting.shift()?.()
  if (waiting.length === 0) turns.port1.onmessage = null
}

/**
 * Posts a message to this thread. Unlike a timer, it arrives without delay, after the messages that already wait. The port has a
 * listener only until then, because a listening port keeps a process of Node, Bun or Deno alive.
 */
export const yieldToMessages = () =>
  new Promise<void>(resolve => {
    waiting.push(resolve)
    turns.port1.onmessage = takeTurn
    turns.port2.postMessage(null)
  })

export const memoryBytes = memoryTold(globalThis.navigator ?? {})

/** Fetches and compiles a module. Throws `network`, or `unsupported` if the browser or the page's policy refuses it. */
export async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetchOwnFile(address)
  // Streaming lets the browser cache the compiled code, but requires the right content type.
  const streams = response.headers.get('Content-Type')?.startsWith('application/wasm')
  try {
    if (streams) return await WebAssembly.compileStreaming(response)
    return await WebAssembly.compile(await response.arrayBuffer())
  } catch (error) {
    const { message } = error as Error
    const code = error instanceof WebAssembly.CompileError ? 'unsupported' : 'network'
    const remedy = /content security policy|\bCSP\b/i.test(message)
      ? " The page's Content-Security-Policy must allow WebAssembly: script-src 'self' 'wasm-unsafe-eval'."
      : ''
    throw new HeedError(code, `${address}: ${message}${remedy}`)
  }
}
