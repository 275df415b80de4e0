// The `fuzz` suite: fuzzes the parsers of untrusted input for a while, under the sanitizers. Each program of tests/fuzz is
// one test.
import { mkdirSync, readdirSync } from 'node:fs'
import { buildPreset } from '../building/cmake.mjs'
import { inRoot, root } from '../paths.mjs'
import { sumOf } from './counts.mjs'

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
  mkdirSync(failures, { recursive: true })
  const args = [
    ...limits, '-timeout=20', '-rss_limit_mb=2048', '-verbosity=0', '-print_funcs=0', '-len_control=0',
    `-artifact_prefix=${failures}/`, corpus,
  ]
  const { status } = await toolchain.run(program(`${name}_fuzz`), args, { cwd: root, check: false })
  if (status !== 0) console.error(`heed_${name}_fuzz failed; the failing input is in ${failures}`)
  return { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 }
}

export async function fuzzTests(toolchain) {
  const limits = duration()
  await buildPreset(toolchain, preset, ['heed_fuzz'])
  await toolchain.run(program('fuzz_seeds'), [inRoot('build/fuzz')], { cwd: root })
  const names = readdirSync(inRoot('tests/fuzz')).flatMap(file => /^(.+)_fuzz\.cpp$/.exec(file)?.[1] ?? [])
  const results = []
  for (const name of names) results.push(await fuzz(toolchain, name, inRoot('build/fuzz', name), limits))
  return sumOf(results)
}
