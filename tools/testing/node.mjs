// Runs the .test.js files of a folder under Node's test runner.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { inRoot, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'
import { failure, noTests, sumOf } from './counts.mjs'
import { filesOfTurn } from './turns.mjs'

/** Many times the duration of any test beside others (in Node 20, of any file), and alone: a test that hangs has failed. */
const timeoutMs = { besideOthers: 10 * 60_000, alone: 3 * 60_000 }

const reporter = inRoot('tools/testing/reporter.mjs')

/**
 * Runs Node's test runner; resolves to its records and exit status, `silent` if nothing has ended for twice `timeout`: Node gives
 * up a test after that time, but waits for anything that its file has left open. Its output is appended to `log`.
 */
async function runNode({ node, env, log, record, concurrency, files, timeout, options = [] }) {
  rmSync(record, { force: true })
  const args = [
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeout}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${record}`,
    ...options,
    ...files,
  ]
  const { status } = await execute(node, args, {
    cwd: root,
    env: { ...process.env, ...env },
    check: false,
    log,
    silenceMs: 2 * timeout,
  })
  const lines = existsSync(record) ? readFileSync(record, 'utf8').split('\n').filter(Boolean) : []
  return { status, records: lines.map(line => JSON.parse(line)) }
}

const shortName = file => file?.replace(root, '')

/**
 * Runs the tests of `folder`, of which `suite` is the name: `node` is the Node that runs them, `env` adds to its environment,
 * `concurrency` is how many files run at a time. `shared` adds to the environment, too, but names things that only exist until this
 * resolves, such as a browser; a test that is run again starts its own. `apart` is a folder in it that is a suite of its own. With
 * `part`, {turn, of}, only the files of that turn run.
 */
export async function nodeTests(suite, folder, { node, env, shared, concurrency, apart, part }) {
  const all = existsSync(inRoot(folder)) ? readdirSync(inRoot(folder), { recursive: true }) : []
  const names = apart === undefined ? all : all.filter(name => !name.startsWith(join(apart, sep)))
  const every = names
    .filter(name => name.endsWith('.test.js'))
    .sort()
    .map(name => inRoot(folder, name))
  const files = part ? filesOfTurn(every, part.turn, part.of) : every
  if (files.length === 0) return noTests
  mkdirSync(inRoot('build/tests'), { recursive: true })
  const log = inRoot('build/tests', `${suite}.log`)
  rmSync(log, { force: true })
  const runner = { node, env, log, record: inRoot('build/tests', `${suite}.jsonl`) }
  const { status, records } = await runNode({
    ...runner,
    env: { ...env, ...shared },
    concurrency,
    files,
    timeout: timeoutMs.besideOthers,
  })
  const result = sumOf(
    records.map(({ file, name, ms, passed, failed, skipped, error, signal }) => ({
      passed,
      failed,
      skipped,
      tests: [{ name: `${shortName(file)}: ${name}`, ms }],
      failures:
        failed > 0
          ? [{ name, file: shortName(file), output: error, failed, signal, again: () => runAgain(runner, file, name, files) }]
          : [],
    })),
  )
  if (status !== 0 && result.failed === 0)
    return sumOf([result, failure(`${suite}: Node ended with ${status}`, `see ${shortName(log)}`)])
  return result
}

const literally = text => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/**
 * Runs one test once more, or the whole file if the file failed. A test's file is the one that calls `test`; for tests that a
 * helper defines, all `files` are searched. Resolves to {passed, output}.
 */
async function runAgain(runner, file, name, files) {
  const isFile = file.endsWith(name) || name.endsWith(file)
  const options = isFile ? [] : [`--test-name-pattern=^${literally(name)}$`]
  const record = runner.record.replace('.jsonl', '-again.jsonl')
  const { status, records } = await runNode({
    ...runner,
    record,
    concurrency: 1,
    files: files.includes(file) ? [file] : files,
    timeout: timeoutMs.alone,
    options,
  })
  const failed = records.filter(record => record.failed > 0)
  const ran = records.some(record => record.passed > 0 && (isFile || record.name === name))
  return {
    passed: status === 0 && failed.length === 0 && ran,
    output: failed.map(({ error }) => error).join('\n') || `Node ended with ${status}`,
  }
}
