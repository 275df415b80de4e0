// SHA-256 of what comes piece by piece, in browsers, whose own takes whole files only.
import { sha256Module, startState } from './sha256-module.js'

export interface Sha256 {
  update(bytes: Uint8Array): void
  /** Of all that came so far, in hexadecimal; more may come. */
  digest(): string
  /** Remembers this state, for `back`. */
  mark(): void
  back(): void
  restart(): void
}

const blockBytes = 64
/** Bytes that are collected before they are taken into the sum. */
const bufferBytes = 1 << 16
const bufferAt = 1024
const pages = 2

let compiled: Promise<WebAssembly.Module> | undefined

export async function sha256(): Promise<Sha256> {
  compiled ??= WebAssembly.compile(sha256Module(pages))
  const { exports } = await WebAssembly.instantiate(await compiled)
  const { memory, blocks } = exports as { memory: WebAssembly.Memory, blocks(start: number, end: number): void }
  const state = new Uint32Array(memory.buffer, 0, 8)
  const buffer = new Uint8Array(memory.buffer, bufferAt, bufferBytes + 2 * blockBytes)  // with room for the end
  let total = 0
  let filled = 0

  /** Takes all whole blocks into the sum. */
  function take(): void {
    const whole = filled - filled % blockBytes
    if (whole === 0) return
    blocks(bufferAt, bufferAt + whole)
    buffer.copyWithin(0, whole, filled)
    filled -= whole
  }

  const saved = () => {
    take()
    return { state: state.slice(), rest: buffer.slice(0, filled), total }
  }
  function load(from: { state: Uint32Array, rest: Uint8Array, total: number }): void {
    state.set(from.state)
    buffer.set(from.rest)
    filled = from.rest.length
    total = from.total
  }
  const fresh = { state: startState(), rest: new Uint8Array(), total: 0 }
  let marked = fresh
  load(fresh)

  return {
    update(bytes) {
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + bufferBytes - filled)
        buffer.set(part, filled)
        filled += part.length
        at += part.length
        if (filled === bufferBytes) take()
      }
      total += bytes.length
    },
    digest() {
      const before = saved()
      // The end: a bit, zeros, and the length in bits as 64 of them, up to a whole block.
      const end = filled + 9 > blockBytes ? 2 * blockBytes : blockBytes
      buffer.fill(0, filled, end)
      buffer[filled] = 0x80
      new DataView(memory.buffer, bufferAt).setBigUint64(end - 8, BigInt(total) * 8n)
      blocks(bufferAt, bufferAt + end)
      const digest = Array.from(state, word => word.toString(16).padStart(8, '0')).join('')
      load(before)
      return digest
    },
    mark() { marked = saved() },
    back: () => load(marked),
    restart: () => load(fresh),
  }
}
