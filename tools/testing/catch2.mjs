// Runs the Catch2 tests of one preset: natively in the toolchain, or as wasm under Node.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { buildPreset } from '../building/cmake.mjs'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'
import { sumOf } from './counts.mjs'
import { unpackVocabularies } from './vocabularies.mjs'

const countsPattern =
  /<OverallResultsCases successes="(\d+)" failures="(\d+)" expectedFailures="(\d+)" skips="(\d+)"/

/** Reads the counts of test cases from Catch2's XML report; a missing or truncated report counts as one failure. */
function readCounts(report, status) {
  const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
  const total = countsPattern.exec(text)
  if (!total) return { passed: 0, failed: 1, skipped: 0 }
  const [passed, failed, expectedFailures, skipped] = total.slice(1).map(Number)
  const allSkipped = passed === 0 && skipped > 0
  const crashedAtExit = status !== 0 && failed === 0 && !allSkipped
  return { passed: passed + expectedFailures, failed: failed + (crashedAtExit ? 1 : 0), skipped }
}

/** Processes that run in parallel, each with a part of the test cases, most of which use one thread. */
const shards = 2

async function runCatch2(preset, runTests) {
  unpackVocabularies()
  const colour = process.stdout.isTTY ? 'ansi' : 'none'
  const counts = await Promise.all(Array.from({ length: shards }, async (_, index) => {
    const report = inRoot('build', preset, `results-${index}.xml`)
    rmSync(report, { force: true })
    const { status } = await runTests([
      `--shard-count=${shards}`, `--shard-index=${index}`, `--reporter=console::colour-mode=${colour}`, `--reporter=XML::out=${report}`])
    return readCounts(report, status)
  }))
  return sumOf(counts)
}

const options = { cwd: root, check: false }

export const nativeTests = preset => async toolchain => {
  await buildPreset(toolchain, preset, ['heed_tests'])
  return runCatch2(preset, args => toolchain.run(inRoot('build', preset, 'heed_tests'), args, options))
}

/** Runs under this process's Node, which may be as old as 20, the oldest that users may have. */
export const wasmTests = preset => async toolchain => {
  await buildPreset(toolchain, preset, ['heed_tests'])
  const program = inRoot('build', preset, 'heed_tests.cjs')
  return runCatch2(preset, args => execute(process.execPath, [program, ...args], options))
}

/** Runs under the toolchain's Node, for what Node 20 lacks: relaxed SIMD and 64-bit memory. */
export const newWasmTests = preset => async toolchain => {
  await buildPreset(toolchain, preset, ['heed_tests'])
  const { stdout } = await toolchain.run('em-config', ['NODE_JS'], { capture: true })
  const node = /[^'"[\]\s]+/.exec(stdout)[0]
  const program = inRoot('build', preset, 'heed_tests.cjs')
  return runCatch2(preset, args => toolchain.run(node, [program, ...args], options))
}
