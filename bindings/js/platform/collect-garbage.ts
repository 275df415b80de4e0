// Frees what downloads leave behind.

/** V8 collects garbage when buffers take 64 MB more than after its last collection: one starts to mark, the next ones go on with it. */
const pressureBytes = 2 ** 27
const buffers = 3

/**
 * In Chromium, the browser's own heap of a worker that reads a long response grows by tens to hundreds of megabytes, most where the network is
 * fast, and stays so for minutes if the worker allocates little itself. Large buffers make V8 collect at once, in about 15 ms, and that heap
 * with its own. Nothing is written to them, so they take no memory.
 */
export function collectGarbage(): void {
  if (!('userAgentData' in (globalThis.navigator ?? {}))) return
  try {
    for (let at = 0; at < buffers; at++) new ArrayBuffer(pressureBytes)
  } catch {} // without so many addresses
}
