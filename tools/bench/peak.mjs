// The most memory that a browser takes while something runs in it.
import { proportionalMemory } from '../browsers/processes.mjs'

const everyMs = 200

/** Calls `run`; resolves to the most memory that the browser took meanwhile. */
export async function peakOf(profile, run) {
  let most = 0
  const look = () => {
    most = Math.max(most, proportionalMemory(profile))
  }
  const timer = setInterval(look, everyMs)
  try {
    await run()
    look()
    return most
  } finally {
    clearInterval(timer)
  }
}
