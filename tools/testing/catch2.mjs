// Runs the Catch2 tests of one preset: natively in the toolchain, or as wasm under Node.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'
import { failure, noTests, sumOf } from './counts.mjs'
import { unpackVocabularies } from './vocabularies.mjs'

const countsPattern = /<OverallResultsCases successes="(\d+)" failures="(\d+)" expectedFailures="(\d+)" skips="(\d+)"/
const casePattern = /<TestCase name="([^"]*)"[^]*?<OverallResult [^>]*durationInSeconds="([\d.e-]+)"/g

/** The line of each test that has ended, by `--durations`; what failures say is between them. */
const durationPattern = /^\d+\.\d+ s: .*\n/gm

const unescape = text => text.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name])

/** Reads Catch2's XML report; a missing or truncated one counts as one failure. `log` has what the tests printed. */
function readReport(preset, report, log, status) {
  const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
  const total = countsPattern.exec(text)
  const output = () => readFileSync(log, 'utf8').replace(durationPattern, '')
  if (!total) return failure(`${preset}: the tests ended with ${status}, without a report`, output())
  const [passed, failed, expectedFailures, skipped] = total.slice(1).map(Number)
  const allSkipped = passed === 0 && skipped > 0
  const crashedAtExit = status !== 0 && failed === 0 && !allSkipped
  const failures = failed + (crashedAtExit ? 1 : 0)
  return {
    passed: passed + expectedFailures,
    failed: failures,
    skipped,
    tests: [...text.matchAll(casePattern)].map(([, name, seconds]) => ({ name: unescape(name), ms: seconds * 1000 })),
    failures: failures > 0 ? [{ name: preset, output: output(), failed: failures }] : noTests.failures,
  }
}

/** Runs `shards` processes in parallel, each with part of the test cases, most of which use one thread. */
async function runCatch2(preset, shards, runTests) {
  unpackVocabularies()
  mkdirSync(inRoot('build/tests'), { recursive: true })
  return sumOf(
    await Promise.all(
      Array.from({ length: shards }, async (_, index) => {
        const report = inRoot('build/tests', `${preset}-${index}.xml`)
        const log = inRoot('build/tests', `${preset}-${index}.log`)
        for (const file of [report, log]) rmSync(file, { force: true })
        const args = [
          `--shard-count=${shards}`,
          `--shard-index=${index}`,
          '--durations=yes',
          '--reporter=console',
          `--reporter=XML::out=${report}`,
        ]
        const { status } = await runTests(args, { cwd: root, check: false, log })
        return readReport(preset, report, log, status)
      }),
    ),
  )
}

export const nativeTests = (toolchain, preset, shards) =>
  runCatch2(preset, shards, (args, options) => toolchain.run(inRoot('build', preset, 'heed_tests'), args, options))

/** `node` is the Node that runs them: Node 20, the oldest that users may have, lacks relaxed SIMD and 64-bit memory. */
export const wasmTests = (node, preset, shards) => {
  const program = inRoot('build', preset, 'heed_tests.cjs')
  return runCatch2(preset, shards, (args, options) => execute(node, [program, ...args], options))
}
