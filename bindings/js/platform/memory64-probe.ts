// Detects 64-bit memory in WebAssembly, which models that exceed 4 GiB need.
import { newMemory64 } from './memory64.js'
import { moduleOf } from './probe-module.js'

// (memory i64 1)
const probe = '05 03 01 04 01' // one memory: 64-bit indices, at least one page

/** Also creates a memory, because browsers that had this feature behind a flag used another name for the option. */
export function hasMemory64(): boolean {
  try {
    if (!WebAssembly.validate(moduleOf(probe))) return false
    const { buffer } = newMemory64(1, 1)
    return buffer.byteLength > 0
  } catch {
    return false
  }
}
