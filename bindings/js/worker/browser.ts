// Parts of a browser's port that work in any thread: yielding to messages, memory, and compilation.
import { fetchOwnFile } from '../platform/own-file.js'
import { HeedError } from '../wire/errors.js'

const turns = new MessageChannel()
const waiting: (() => void)[] = []
turns.port1.onmessage = () => waiting.shift()?.()

/** Posts a message to itself. Unlike a timer, it arrives without delay, after the messages that already wait. */
export const yieldToMessages = () =>
  new Promise<void>(resolve => {
    waiting.push(resolve)
    turns.port2.postMessage(null)
  })

/**
 * Browsers report the machine's memory rounded to a power of two: 4 GiB may be nearly 6. Chrome reports 2 to 32 from version 147 and 0.25 to 8
 * before, and on Android at most 8 (https://groups.google.com/a/chromium.org/g/blink-dev, "Update Device Memory API limits"): 8 may be more.
 */
const { deviceMemory = Infinity } = (globalThis.navigator ?? {}) as { deviceMemory?: number }
export const memoryBytes = deviceMemory < 8 ? deviceMemory * 1.5 * 2 ** 30 : undefined

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
