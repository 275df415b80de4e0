// --dot: emulates the integer dot product of older processors, with V8 flags that disable this processor's better instructions.
const noInt8 = '--no-enable-avx-vnni-int8',
  noVnni = '--no-enable-avx-vnni'

/** V8's flags for each class of relaxed SIMD's dot product (src/kernels/isa/relaxed_dot.hpp). */
export const dotFlags = { usdot: [noInt8], sat: [noInt8, noVnni] }

/** Throws if an engine has not chosen the kernels of --dot. */
export function checkDot(dot, target) {
  if (dot && target !== `relaxed-${dot}`)
    throw new Error(`--dot ${dot}: the engine's kernels are ${target}, with ${dotFlags[dot].join(' ')}`)
}
