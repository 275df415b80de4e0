// Detects 64-bit memory in WebAssembly, which models that exceed 4 GiB need.
import { newMemory64 } from './memory64.js'
import { moduleOf } from './probe-module.js'

// (import "m" "m" (memory i64 1 1 shared))
// (func (export "f") (param i64 i32) (result i32)      ;; stores a number, adds one, and loads it
//   (i32.store (local.get 0) (local.get 1))
//   (drop (i32.atomic.rmw.add (local.get 0) (i32.const 1)))
//   (i32.load (local.get 0)))
const probe =
  '01 07 01 60 02 7e 7f 01 7f ' + // type: (i64, i32) -> i32
  '02 09 01 01 6d 01 6d 02 07 01 01 ' + // the memory: with a maximum, shared, with 64-bit indices
  '03 02 01 00 07 05 01 01 66 00 00 ' + // one function of that type, exported as "f"
  '0a 19 01 17 00 20 00 20 01 36 02 00 20 00 41 01 fe 1e 02 00 1a 20 00 28 02 00 0b' // its code

/** Also creates a memory and uses it: browsers that had this feature behind a flag used another name for the option. */
export function hasMemory64(): boolean {
  try {
    const bytes = moduleOf(probe)
    if (!WebAssembly.validate(bytes)) return false
    const m = newMemory64(1, 1)
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { m: { m } })
    const f = exports.f as (at: bigint, value: number) => number
    return f(8n, 41) === 42 && new Int32Array(m.buffer)[2] === 42
  } catch {
    return false
  }
}
