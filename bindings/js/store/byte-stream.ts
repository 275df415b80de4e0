// Reads a stream of bytes.
import { collectGarbage } from '../platform/collect-garbage.js'

const bufferBytes = 1 << 20
/** Garbage is collected each time this many bytes have been read, and at the end of a stream that is longer than `smallBytes`. */
const collectedBytes = 1 << 27
const smallBytes = 1 << 25

export interface ByteStream {
  /** The next bytes, valid until the next call; undefined at the end. */
  read(): Promise<Uint8Array | undefined>
  cancel(): void
}

interface Chunks {
  read(): Promise<{ done: boolean; value?: Uint8Array }>
  cancel(): Promise<void>
}

export function openStream(stream: ReadableStream<Uint8Array>): ByteStream {
  const { read, cancel } = chunksOf(stream)
  let count = 0
  let collected = 0
  const collect = (least: number) => {
    if (count < smallBytes || count - collected < least) return
    collected = count
    collectGarbage()
  }
  return {
    async read() {
      const { done, value } = await read()
      count += value?.length ?? 0
      collect(done ? 1 : collectedBytes)
      return done ? undefined : value
    },
    cancel() {
      cancel().catch(() => {})
      collect(1)
    },
  }
}

/**
 * A byte stream fills the same buffer repeatedly: allocating new pages for each chunk would cost as much as receiving it. The
 * engine's memory cannot be that buffer, because it is shared.
 */
function chunksOf(stream: ReadableStream<Uint8Array>): Chunks {
  try {
    const reader = stream.getReader({ mode: 'byob' })
    let buffer = new ArrayBuffer(bufferBytes)
    return {
      async read() {
        const { done, value } = await reader.read(new Uint8Array(buffer))
        if (value) buffer = value.buffer as ArrayBuffer
        return { done, value }
      },
      cancel: () => reader.cancel(),
    }
  } catch {
    // not a byte stream, as for downloads in some browsers
    const reader = stream.getReader()
    return { read: () => reader.read(), cancel: () => reader.cancel() }
  }
}
