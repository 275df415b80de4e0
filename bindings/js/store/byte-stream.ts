// Reads a stream of bytes.

const bufferBytes = 1 << 20

export interface ByteStream {
  /** The next bytes, valid until the next call; undefined at the end. */
  read(): Promise<Uint8Array | undefined>
  cancel(): void
}

/**
 * A byte stream fills the same buffer repeatedly: allocating new pages for each chunk would cost as much as receiving it. The
 * engine's memory cannot be that buffer, because it is shared.
 */
export function openStream(stream: ReadableStream<Uint8Array>): ByteStream {
  try {
    const reader = stream.getReader({ mode: 'byob' })
    let buffer = new ArrayBuffer(bufferBytes)
    return {
      async read() {
        const { done, value } = await reader.read(new Uint8Array(buffer))
        if (value) buffer = value.buffer as ArrayBuffer
        return done ? undefined : value
      },
      cancel: () => {
        reader.cancel().catch(() => {})
      },
    }
  } catch {
    // not a byte stream, as for downloads in some browsers
    const reader = stream.getReader()
    return {
      async read() {
        const { done, value } = await reader.read()
        return done ? undefined : value
      },
      cancel: () => {
        reader.cancel().catch(() => {})
      },
    }
  }
}
