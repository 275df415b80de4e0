// Frees what downloads leave behind.

/** V8 collects garbage when buffers take 64 MB more than after its last collection: one starts to mark, the next ones go on with it. */
const pressureBytes = 2 ** 27
const buffers = 3

/**
 * In Chromium, the parts of a response that have been read stay in memory until the thread's next garbage collection: tens to hundreds of
 * megabytes after a fast download, and for minutes in a worker that allocates little itself. Large buffers make V8 collect at once, in
 * about 15 ms. Nothing is written to them, so they take no memory.
 */
export function collectGarbage(): void {
  if (!('userAgentData' in (globalThis.navigator ?? {}))) return
  try {
    for (let at = 0; at < buffers; at++) new ArrayBuffer(pressureBytes)
  } catch {} // without so many addresses
}
