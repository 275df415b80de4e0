// Whether relaxed SIMD runs here as the kernels need it: each of its instructions that they use, in all lanes, at the first call and after many.
import { moduleOf } from './probe-module.js'

// (func (export "f") (param i32)          ;; the number of rounds; each reads 0, 16 and 32, and adds to 48, 64 and 80
//   (loop
//     (v128.store (i32.const 48) (i32x4.relaxed_dot_i8x16_i7x16_add_s (v128.load 0) (v128.load 16) (v128.load 48)))
//     (v128.store (i32.const 64) (i16x8.add (i16x8.relaxed_dot_i8x16_i7x16_s (v128.load 0) (v128.load 16)) (v128.load 64)))
//     (v128.store (i32.const 80) (i8x16.add (i8x16.relaxed_swizzle (v128.load 0) (v128.load 32)) (v128.load 80)))
//     (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
const probe =
  '01 05 01 60 01 7f 00 ' + // type: (i32) -> ()
  '03 02 01 00 05 03 01 00 01 ' + // one function of that type; one page of memory
  '07 09 02 01 6d 02 00 01 66 00 00 ' + // exported as "m" and "f"
  '0a 68 01 66 00 03 40 ' + // its code, no locals; the loop
  '41 30 41 00 fd 00 04 00 41 00 fd 00 04 10 41 00 fd 00 04 30 fd 93 02 fd 0b 04 00 ' +
  '41 c0 00 41 00 fd 00 04 00 41 00 fd 00 04 10 fd 92 02 41 00 fd 00 04 40 fd 8e 01 fd 0b 04 00 ' +
  '41 d0 00 41 00 fd 00 04 00 41 00 fd 00 04 20 fd 80 02 41 00 fd 00 04 50 fd 6e fd 0b 04 00 ' +
  '20 00 41 01 6b 22 00 0d 00 0b 0b'

/**
 * The specification leaves open whether a second operand with its top bit set is signed, and whether the sum of two products
 * saturates at 16 bits. The kernels support only these results, each described by a mask of the second operand and the limit of the
 * sum. V8 11.3, whose baseline compiler ignores the accumulator, gives none of them.
 */
const machines = [
  [-1, 1e6], // signed x signed: sdot, vpdpbssd
  [255, 1e6], // signed x unsigned: vpdpbusd
  [255, 32767], // signed x unsigned, saturating: pmaddubsw and pmaddwd
] as const

export function runsRelaxedSimd(): boolean {
  try {
    const bytes = moduleOf(probe)
    if (!WebAssembly.validate(bytes)) return false
    const { f, m } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as {
      f: (times: number) => void
      m: WebAssembly.Memory
    }
    const memory = new Int8Array(m.buffer)
    const sums = new Int32Array(m.buffer, 48)
    const pairs = new Int16Array(m.buffer, 64)

    /** `top`: the largest second operand; the kernels add pairs only if it is at most 127. */
    const isRight = ([mask, limit]: (typeof machines)[number], times: number, top: number) => {
      for (let i = 0; i < 16; i++) {
        memory[i] = ((i * 83) % 255) - 127
        memory[i + 16] = (i * 73 + 255) & top
        memory[i + 32] = (i * 7 + 3) & 15
      }
      memory.fill(1, 48, 96) // the results are added to these
      f(times)
      const product = (i: number) => memory[i]! * (memory[i + 16]! & mask)
      const pair = (i: number) => times * Math.max(~limit, Math.min(limit, product(i) + product(i + 1)))
      for (let i = 0; i < 16; i++) {
        if (
          (i < 4 && sums[i] !== (pair(4 * i) + pair(4 * i + 2) + 0x1010101) << 0) ||
          (i < 8 && top < 255 && pairs[i] !== ((pair(2 * i) + 0x101) << 16) >> 16) ||
          memory[i + 80] !== ((times * memory[memory[i + 32]!]! + 1) << 24) >> 24
        )
          return false
      }
      return true
    }
    return machines.some(machine => [1, 1e4, 1].every(times => isRight(machine, times, 255) && isRight(machine, times, 127)))
  } catch {
    return false // the page forbids WebAssembly; starting the engine then reports this
  }
}
