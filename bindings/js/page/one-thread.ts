// Notifies once if a page runs on one thread although the machine has more: threads need shared memory, which only an isolated page
// has.

let hasSaid = false

/** Returns the notice the first time that a page wants threads but has no shared memory; otherwise undefined. */
export function oneThread(threads: number): string | undefined {
  const isIsolated = globalThis.crossOriginIsolated
  // crossOriginIsolated is undefined on platforms without isolation, such as Node, and does not suffice: an isolated page of
  // WebKitGTK has no SharedArrayBuffer, and a browser's setting may give SharedArrayBuffer to all pages.
  if (hasSaid || threads === 1 || isIsolated === undefined || typeof SharedArrayBuffer !== 'undefined') return undefined
  hasSaid = true
  const reason = isIsolated
    ? 'this browser has no SharedArrayBuffer'
    : 'the page lacks the headers Cross-Origin-Opener-Policy: same-origin and ' +
      'Cross-Origin-Embedder-Policy: require-corp (in Chromium, Document-Isolation-Policy: isolate-and-credentialless), or heed/isolation'
  const notice = `Heed runs on one thread: ${reason}`
  console.warn(notice)
  return notice
}
