// Runs the files of one folder that end in .test.js under Node's own test runner.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../toolchain/steps.mjs'

const spec = ['--test-reporter=spec', '--test-reporter-destination=stdout']

/** `node` and `run`: which Node runs them, and how it is started; the one that runs this by default. */
export async function nodeTests(folder, { env = {}, node = process.execPath, run = execute } = {}) {
  const names = existsSync(inRoot(folder)) ? readdirSync(inRoot(folder), { recursive: true }) : []
  const files = names.filter(name => name.endsWith('.test.js')).sort().map(name => inRoot(folder, name))
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 }
  const report = inRoot('build', `${folder.replaceAll('/', '-')}.json`)
  mkdirSync(inRoot('build'), { recursive: true })
  rmSync(report, { force: true })
  const counter = [`--test-reporter=${inRoot('tools/testing/counter.mjs')}`, `--test-reporter-destination=${report}`]
  const { status } = await run(node, ['--test', '--test-concurrency=1', ...spec, ...counter, ...files],
    { cwd: root, env: { ...process.env, ...env }, check: false })
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { passed: 0, failed: 0, skipped: 0 }
  if (status !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}
