// `npm run bench -- kernels` measures each kernel, natively and as WebAssembly in the toolchain's Node.
import { buildPreset } from '../building/cmake.mjs'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'
import { checkDot, dotFlags } from './dot.mjs'
import { UsageError } from './options.mjs'
import { printKernels } from './report.mjs'

/** Uses V8's optimizing compiler from the first call on: these loops are too short to be tiered up. */
const inNode = (folder, dot) => ['node', '--no-liftoff', ...dotFlags[dot] ?? [], `${folder}/heed_kernel_bench.cjs`]
const places = {
  'native': { preset: 'native-release', command: folder => [`${folder}/heed_kernel_bench`] },
  'wasm': { preset: 'wasm-simd128', command: inNode },
  'wasm, relaxed': { preset: 'wasm-relaxed', command: inNode },
  'wasm, 64 bits': { preset: 'wasm-memory64', command: inNode },
}

export async function benchKernels({ kernel = [], target = [], format = [], dot }, toolchain) {
  const rows = []
  for (const [where, { preset, command }] of Object.entries(places)) {
    await buildPreset(toolchain, preset, ['heed_kernel_bench'])
    const [program, ...args] = command(inRoot('build', preset), dot)
    const lists = [kernel, target, format].map(list => list.join(','))
    const { stdout } = await step(`run the kernels: ${where}`, () =>
      toolchain.run(program, [...args, ...lists], { capture: true }))
    const measured = stdout.split('\n').filter(Boolean).map(line => ({ where, ...JSON.parse(line) }))
    for (const { target } of measured) if (target.startsWith('relaxed')) checkDot(dot, target)
    rows.push(...measured)
  }
  for (const [name, chosen] of Object.entries({ kernel, target, format })) {
    const absent = chosen.find(item => !rows.some(row => row[name] === item))
    if (absent) throw new UsageError(`--${name}: no results for "${absent}"`)
  }
  const order = row => `${row.kernel} ${row.format}`
  rows.sort((a, b) => order(a).localeCompare(order(b)))   // stable: targets keep their order
  printKernels(rows)
  return rows
}
