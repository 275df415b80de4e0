// Runs further scripts in a browser's classic worker: the glue, the store, and others on demand.
import { runOrCopy } from './run-or-copy.js'

/** Runs a script in this worker, which must be a classic worker. Throws `network` or `unsupported`, or what the script throws. */
export async function runScript(address: string): Promise<void> {
  let failure: unknown
  await runOrCopy(address, script => {
    try {
      ;(self as unknown as { importScripts(address: string): void }).importScripts(script)
    } catch (error) {
      if (error instanceof DOMException || error instanceof TypeError) throw error // the browser's refusal
      failure = error
    }
  })
  if (failure) throw failure
}
