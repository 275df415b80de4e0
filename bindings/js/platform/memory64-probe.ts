// Detects 64-bit memory in WebAssembly, which models that exceed 4 GiB need.
import { newMemory64 } from './memory64.js'

// (memory i64 1)
const probe = new Uint8Array([
  0x00,
  0x61,
  0x73,
  0x6d,
  0x01,
  0x00,
  0x00,
  0x00, // magic, version
  0x05,
  0x03,
  0x01,
  0x04,
  0x01, // one memory: 64-bit indices, at least one page
])

/** Also creates a memory, because browsers that had this feature behind a flag used another name for the option. */
export function hasMemory64(): boolean {
  try {
    if (!WebAssembly.validate(probe)) return false
    const { buffer } = newMemory64(1, 1)
    return buffer.byteLength > 0
  } catch {
    return false
  }
}
