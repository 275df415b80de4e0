// `npm run bench -- tokenizers` measures the speed of tokenization, natively and as WebAssembly in the toolchain's Node.
import { resolve } from 'node:path'
import { inNode, natively, programAt } from './programs.mjs'
import { figure, table } from './report.mjs'

const places = { native: natively, wasm: inNode('wasm-simd128') }

export async function benchTokenizers({ file = [] }, toolchain) {
  const rows = []
  for (const [where, place] of Object.entries(places)) {
    const run = await programAt(toolchain, 'heed_tokenizer_bench', place)
    const measured = await run(
      `run the tokenizers: ${where}`,
      file.map(path => resolve(path)),
    )
    rows.push(...measured.map(row => ({ where, ...row })))
  }
  print(rows)
  return rows
}

/** Prints MB/s for 1 MiB of each input and, in parentheses, the relative speed for a sixteenth of it: 1 if time is linear. */
function print(rows) {
  const inputs = [...new Set(rows.map(row => row.input))]
  const vocabularies = new Map(rows.map(row => [`${row.vocabulary} ${row.where}`, row]))
  const cells = [...vocabularies.values()].map(({ vocabulary, where, size, loadMs }) => [
    vocabulary,
    `${size}`,
    where,
    figure(loadMs),
    ...inputs.map(input => {
      const same = { vocabulary, where, input }
      const row = rows.find(row => Object.keys(same).every(key => row[key] === same[key]))
      const ratio = row.sixteenthMegabytesPerSecond / row.megabytesPerSecond
      return `${figure(row.megabytesPerSecond)} (${figure(ratio)})`
    }),
  ])
  const titles = ['vocabulary', 'tokens', 'runs', 'load, ms', ...inputs.map(input => `${input}, MB/s`)]
  console.log(`\n${table([titles, ...cells], [0, 2])}`)
}
