// The `fuzz` suite: fuzzes the parsers of untrusted input for a while, under the sanitizers. Each program of tests/fuzz is
// one test.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { inRoot, root } from '../paths.mjs'
import { failure, noTests, sumOf } from './counts.mjs'

const preset = 'native-debug'
const program = name => inRoot('build', preset, `heed_${name}`)

/** Time limit and seed: 20 seconds with a fixed seed, or HEED_FUZZ_SECONDS with a random one. */
function duration() {
  const { HEED_FUZZ_SECONDS: wanted } = process.env
  if (!wanted) return ['-max_total_time=20', '-seed=1']
  if (!/^[1-9]\d*$/.test(wanted)) throw new Error(`HEED_FUZZ_SECONDS: "${wanted}" is not a whole number above 0`)
  return [`-max_total_time=${wanted}`]
}

/** Starts from `corpus`: the seeds and the inputs that earlier runs added. */
async function fuzz(toolchain, name, corpus, limits) {
  const failures = inRoot('build/fuzz-failures', name)
  for (const folder of [failures, corpus]) mkdirSync(folder, { recursive: true }) // some programs have no seeds
  const args = [
    ...limits,
    '-timeout=20',
    '-rss_limit_mb=2048',
    '-verbosity=0',
    '-print_funcs=0',
    '-len_control=0',
    `-artifact_prefix=${failures}/`,
    corpus,
  ]
  const log = inRoot('build/tests', `fuzz-${name}.log`)
  rmSync(log, { force: true })
  const start = performance.now()
  const { status } = await toolchain.run(program(`${name}_fuzz`), args, { cwd: root, check: false, log })
  const ms = performance.now() - start
  if (status === 0) return { ...noTests, passed: 1, tests: [{ name: `fuzz ${name}`, ms }] }
  return failure(`heed_${name}_fuzz`, `${readFileSync(log, 'utf8')}\nthe failing input is in ${failures}`)
}

/** Fuzzes with the programs that `heed_fuzz` of native-debug has built. */
export async function fuzzTests(toolchain) {
  const limits = duration()
  mkdirSync(inRoot('build/tests'), { recursive: true })
  await toolchain.run(program('fuzz_seeds'), [inRoot('build/fuzz')], { cwd: root, log: inRoot('build/tests/fuzz-seeds.log') })
  const names = readdirSync(inRoot('tests/fuzz')).flatMap(file => /^(.+)_fuzz\.cpp$/.exec(file)?.[1] ?? [])
  const results = []
  for (const name of names) results.push(await fuzz(toolchain, name, inRoot('build/fuzz', name), limits))
  return sumOf(results)
}
