// Frees memory that downloads leave behind.

/**
 * V8 collects garbage when buffers take 64 MB more than after its last collection: the first buffer starts the marking, later
 * buffers continue it.
 */
const pressureBytes = 2 ** 27
const buffers = 3

/**
 * In Chromium, a worker that reads a long response makes the browser's own heap grow by tens to hundreds of megabytes, most on a
 * fast network; it shrinks only after minutes if the worker itself allocates little. Large buffers make V8 collect both that heap
 * and its own at once, in about 15 ms. Nothing is written to them, so they take no memory.
 */
export function collectGarbage(): void {
  if (!('userAgentData' in (globalThis.navigator ?? {}))) return
  try {
    for (let at = 0; at < buffers; at++) new ArrayBuffer(pressureBytes)
  } catch {} // not enough address space
}
