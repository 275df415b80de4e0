// `npm run bench -- threads`: the cost of the thread pool for each number of threads up to twice the cores, natively and as
// WebAssembly in the toolchain's Node, alone and beside busy loops.
import { availableParallelism } from 'node:os'
import { inNode, natively, programAt } from './programs.mjs'
import { figure, table } from './report.mjs'

const places = { native: natively, wasm: inNode('wasm-simd128', '--no-liftoff') }

export async function benchThreads({ threads = 2 * availableParallelism(), busy = [0, 1] }, toolchain) {
  const rows = []
  for (const [where, place] of Object.entries(places)) {
    const run = await programAt(toolchain, 'heed_thread_bench', place)
    for (const loops of busy) {
      const measured = await run(`run the threads: ${where}, ${loops} busy loops beside them`, [`${threads}`, `${loops}`])
      rows.push(...measured.map(row => ({ where, ...row })))
    }
  }
  print(rows)
  return rows
}

function print(rows) {
  const cells = rows.map(({ where, busy, threads, emptyLoopNs, passMs, speedup, waiting }) => [
    where,
    `${busy}`,
    `${threads}`,
    figure(emptyLoopNs),
    figure(passMs),
    figure(speedup),
    `${(waiting * 100).toFixed(0)}%`,
  ])
  const titles = ['runs', 'busy loops', 'threads', 'empty loop, ns', 'pass, ms', 'x one thread', 'waiting']
  console.log(`\n${availableParallelism()} cores\n${table([titles, ...cells], [0])}`)
}
