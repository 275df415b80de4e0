// `npm run bench -- tokenizers` measures the speed of tokenization, natively and as WebAssembly in the toolchain's Node.
import { resolve } from 'node:path'
import { buildPreset } from '../building/cmake.mjs'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'
import { figure, table } from './report.mjs'

const places = {
  native: { preset: 'native-release', command: folder => [`${folder}/heed_tokenizer_bench`] },
  wasm: { preset: 'wasm-simd128', command: folder => ['node', `${folder}/heed_tokenizer_bench.cjs`] },
}

export async function benchTokenizers({ file = [] }, toolchain) {
  const rows = []
  for (const [where, { preset, command }] of Object.entries(places)) {
    await buildPreset(toolchain, preset, ['heed_tokenizer_bench'])
    const [program, ...args] = command(inRoot('build', preset))
    const files = file.map(path => resolve(path))
    const { stdout } = await step(`run the tokenizers: ${where}`, () =>
      toolchain.run(program, [...args, ...files], { capture: true }))
    rows.push(...stdout.split('\n').filter(Boolean).map(line => ({ where, ...JSON.parse(line) })))
  }
  print(rows)
  return rows
}

/** Prints MB/s for 1 MiB of each input and, in parentheses, the relative speed for a sixteenth of it: 1 if time is linear. */
function print(rows) {
  const inputs = [...new Set(rows.map(row => row.input))]
  const vocabularies = new Map(rows.map(row => [`${row.vocabulary} ${row.where}`, row]))
  const cells = [...vocabularies.values()].map(({ vocabulary, where, size, loadMs }) => [
    vocabulary, `${size}`, where, figure(loadMs), ...inputs.map(input => {
      const same = { vocabulary, where, input }
      const row = rows.find(row => Object.keys(same).every(key => row[key] === same[key]))
      const ratio = row.sixteenthMegabytesPerSecond / row.megabytesPerSecond
      return `${figure(row.megabytesPerSecond)} (${figure(ratio)})`
    }),
  ])
  const titles = ['vocabulary', 'tokens', 'runs', 'load, ms', ...inputs.map(input => `${input}, MB/s`)]
  console.log(`\n${table([titles, ...cells], [0, 2])}`)
}
