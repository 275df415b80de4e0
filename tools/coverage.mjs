// `npm run coverage` runs the Catch2 tests natively and prints the line coverage of each file of src/, lowest first;
// `npm run coverage -- src/FILE ...` shows the lines of these files and how often each ran.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { buildPreset } from './building/cmake.mjs'
import { inRoot, root } from './paths.mjs'
import { unpackVocabularies } from './testing/vocabularies.mjs'
import { openToolchain } from './toolchain/index.mjs'

const preset = 'native-coverage'
const folder = inRoot('build', preset)
const program = `${folder}/heed_tests`
const profile = `${folder}/tests.profdata`

/** LLVM's tools, whose names end in the version of the compiler. */
async function llvmTool(toolchain, name) {
  const { stdout } = await toolchain.run('clang++', ['--version'], { capture: true })
  return `${name}-${/version (\d+)/.exec(stdout)[1]}`
}

/** Raw profiles that test runs left behind, one file per process. */
const counts = () =>
  readdirSync(folder)
    .filter(name => name.endsWith('.profraw'))
    .map(name => `${folder}/${name}`)

async function runTests(toolchain) {
  unpackVocabularies()
  for (const old of counts()) rmSync(old)
  const { status } = await toolchain.run(program, ['--reporter', 'compact'], {
    cwd: root,
    check: false,
    env: { LLVM_PROFILE_FILE: `${folder}/%p.profraw` },
  })
  if (status !== 0) throw new Error('the tests failed, so what they reach is not known')
  await toolchain.run(await llvmTool(toolchain, 'llvm-profdata'), ['merge', '--sparse', '--output', profile, ...counts()])
}

/** The coverage of each file of src/: {path, lines, missed}. */
async function reached(toolchain) {
  const args = ['export', '--summary-only', `--instr-profile=${profile}`, program, inRoot('src')]
  const { stdout } = await toolchain.run(await llvmTool(toolchain, 'llvm-cov'), args, { capture: true })
  return JSON.parse(stdout).data[0].files.map(({ filename, summary: { lines } }) => ({
    path: filename.slice(root.length),
    lines: lines.count,
    missed: lines.count - lines.covered,
  }))
}

const share = ({ lines, missed }) => (lines === 0 ? 1 : 1 - missed / lines)
const row = file =>
  `${(100 * share(file)).toFixed(1).padStart(5)} %  ${String(file.missed).padStart(5)} of ${file.lines} lines missed  ${file.path}`

async function main(chosen) {
  const absent = chosen.find(path => !existsSync(inRoot(path)))
  if (absent) throw new Error(`there is no ${absent}`)
  const toolchain = await openToolchain()
  await buildPreset(toolchain, preset, ['heed_tests'], { tests: true })
  await runTests(toolchain)
  if (chosen.length > 0) {
    const args = ['show', '--show-instantiations=false', `--instr-profile=${profile}`, program, ...chosen.map(path => inRoot(path))]
    await toolchain.run(await llvmTool(toolchain, 'llvm-cov'), args)
    return
  }
  const files = (await reached(toolchain)).sort((a, b) => share(a) - share(b))
  const all = { lines: 0, missed: 0, path: 'src/' }
  for (const { lines, missed } of files) {
    all.lines += lines
    all.missed += missed
  }
  for (const file of files.filter(({ missed }) => missed > 0)) console.log(row(file))
  console.log(row(all))
}

await main(process.argv.slice(2)).catch(error => {
  console.error(error.message)
  process.exitCode = 1
})
