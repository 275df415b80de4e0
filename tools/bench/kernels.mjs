// `npm run bench -- kernels` measures each kernel, natively and as WebAssembly in the toolchain's Node.
import { checkDot, dotFlags } from './dot.mjs'
import { UsageError } from './options.mjs'
import { inNode, natively, programAt } from './programs.mjs'
import { printKernels } from './report.mjs'

/** Uses V8's optimizing compiler from the first call on: these loops are too short to be tiered up. */
const placesFor = dot => {
  const flags = ['--no-liftoff', ...(dotFlags[dot] ?? [])]
  return {
    native: natively,
    wasm: inNode('wasm-simd128', ...flags),
    'wasm, relaxed': inNode('wasm-relaxed', ...flags),
    'wasm, 64 bits': inNode('wasm-memory64', ...flags),
  }
}

export async function benchKernels({ kernel = [], target = [], format = [], dot }, toolchain) {
  const rows = []
  for (const [where, place] of Object.entries(placesFor(dot))) {
    const run = await programAt(toolchain, 'heed_kernel_bench', place)
    const measured = await run(
      `run the kernels: ${where}`,
      [kernel, target, format].map(list => list.join(',')),
    )
    for (const { target } of measured) if (target.startsWith('relaxed')) checkDot(dot, target)
    rows.push(...measured.map(row => ({ where, ...row })))
  }
  for (const [name, chosen] of Object.entries({ kernel, target, format })) {
    const absent = chosen.find(item => !rows.some(row => row[name] === item))
    if (absent) throw new UsageError(`--${name}: no results for "${absent}"`)
  }
  const order = row => `${row.kernel} ${row.format}`
  rows.sort((a, b) => order(a).localeCompare(order(b))) // stable: targets keep their order
  printKernels(rows)
  return rows
}
