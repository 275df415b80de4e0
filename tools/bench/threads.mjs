// `npm run bench -- threads`: what the thread pool costs for each number of threads up to twice the cores, natively and as
// WebAssembly in the toolchain's Node, alone and beside busy loops.
import { availableParallelism } from 'node:os'
import { buildPreset } from '../building/cmake.mjs'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'
import { figure, table } from './report.mjs'

const places = {
  native: { preset: 'native-release', command: folder => [`${folder}/heed_thread_bench`] },
  wasm: { preset: 'wasm-simd128', command: folder => ['node', '--no-liftoff', `${folder}/heed_thread_bench.cjs`] },
}

export async function benchThreads({ threads = 2 * availableParallelism(), busy = [0, 1] }, toolchain) {
  const rows = []
  for (const [where, { preset, command }] of Object.entries(places)) {
    await buildPreset(toolchain, preset, ['heed_thread_bench'])
    const [program, ...args] = command(inRoot('build', preset))
    for (const loops of busy) {
      const { stdout } = await step(`run the threads: ${where}, ${loops} busy loops beside them`, () =>
        toolchain.run(program, [...args, `${threads}`, `${loops}`], { capture: true }))
      rows.push(...stdout.split('\n').filter(Boolean).map(line => ({ where, ...JSON.parse(line) })))
    }
  }
  print(rows)
  return rows
}

function print(rows) {
  const cells = rows.map(({ where, busy, threads, emptyLoopNs, passMs, speedup, waiting }) => [
    where, `${busy}`, `${threads}`, figure(emptyLoopNs), figure(passMs), figure(speedup), `${(waiting * 100).toFixed(0)}%`,
  ])
  const titles = ['runs', 'busy loops', 'threads', 'empty loop, ns', 'pass, ms', 'x one thread', 'waiting']
  console.log(`\n${availableParallelism()} cores\n${table([titles, ...cells], [0])}`)
}
