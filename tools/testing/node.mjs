// Runs the .test.js files of a folder under Node's test runner.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'
import { noTests } from './counts.mjs'

/** Many times what any file takes, so that a file that hangs is reported as a failure. */
const fileTimeoutMs = 20 * 60_000

const spec = ['--test-reporter=spec', '--test-reporter-destination=stdout']

const runHere = (command, args, { env, ...options }) =>
  execute(command, args, { ...options, env: { ...process.env, ...env } })

/** `node` is the Node that runs the tests, by default this process's; `run` starts it. */
export async function nodeTests(folder, { env = {}, node = process.execPath, run = runHere } = {}) {
  const names = existsSync(inRoot(folder)) ? readdirSync(inRoot(folder), { recursive: true }) : []
  const files = names.filter(name => name.endsWith('.test.js')).sort().map(name => inRoot(folder, name))
  if (files.length === 0) return noTests
  const report = inRoot('build', `${folder.replaceAll('/', '-')}.json`)
  mkdirSync(inRoot('build'), { recursive: true })
  rmSync(report, { force: true })
  const reporter = inRoot('tools/testing/counter.mjs')
  const counter = [`--test-reporter=${reporter}`, `--test-reporter-destination=${report}`]
  const args = ['--test', '--test-concurrency=2', `--test-timeout=${fileTimeoutMs}`, ...spec, ...counter, ...files]
  const { status } = await run(node, args, { cwd: root, env, check: false })
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { ...noTests }
  if (status !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}
