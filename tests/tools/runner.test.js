// The runner of the suites: its counts, and the tests that it runs again.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { inRoot, root } from '../../tools/paths.mjs'
import { tellFailures } from '../../tools/testing/counts.mjs'
import { nodeTests } from '../../tools/testing/node.mjs'
import { runFailuresAgain, tooMany } from '../../tools/testing/unsteady.mjs'

let folder, result
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heed-runner-'))
  cpSync(inRoot('tests/tools/fixtures/mixed.js'), join(folder, 'mixed.test.js'))
  delete process.env.NODE_TEST_CONTEXT // Node's runner runs nothing inside another one
  result = await nodeTests('runner-fixture', relative(root, folder), {
    node: process.execPath,
    concurrency: 1,
    env: { HEED_FIXTURE_FILE: join(folder, 'ran') },
    shared: { HEED_FIXTURE_SHARED: 'a browser that is closed before anything is run again' },
  })
})
after(() => rmSync(folder, { recursive: true }))

test('counts tests and their parts, and reports failures', () => {
  assert.deepEqual([result.passed, result.failed, result.skipped], [2, 4, 1])
  assert.deepEqual(
    result.failures.map(({ name, failed }) => [name, failed]),
    [
      ['fails (always) in [one] of its parts', 2],
      ['fails once', 1],
      ['fails with what is shared', 1],
    ],
  )
  assert.match(result.failures[0].output, /a part that fails[^]*1 !== 2/)
  assert.match(result.failures[1].output, /the first time/)
})

test('a failure that passes the second time counts as passed but is reported; another stays a failure', async () => {
  const [always, ...shaky] = result.failures
  const results = { steady: { ...result, failures: [always] }, shaky: { ...result, failures: shaky } }
  assert.deepEqual(await runFailuresAgain({ steady: {}, shaky: {} }, results), [], 'only suites that may fail once are run again')
  const unsteady = await runFailuresAgain({ steady: {}, shaky: { mayFailOnce: true } }, results)
  assert.deepEqual(
    unsteady.map(({ suite, name }) => [suite, name]),
    [
      ['shaky', 'fails once'],
      ['shaky', 'fails with what is shared'],
    ],
  )
  assert.match(unsteady[0].outputs[0], /the first time/)
  assert.deepEqual([results.shaky.passed, results.shaky.failed], [4, 2])
  assert.deepEqual(await runFailuresAgain({ steady: { mayFailOnce: true } }, results), [])
  assert.match(results.steady.failures[0].output, /and again:[^]*1 !== 2/)
})

test('three failures fail the run in any case: none is run again', async () => {
  const again = () => assert.fail('run again')
  const results = { shaky: { ...result, failures: result.failures.map(failure => ({ ...failure, again })) } }
  assert.deepEqual(await runFailuresAgain({ shaky: { mayFailOnce: true } }, results), [])
  assert.equal(results.shaky.failures.length, 3)
})

test('prints the beginning and the end of a long failure once more', t => {
  const { mock } = t.mock.method(console, 'error', () => {})
  const output = `what it was\n${'between\n'.repeat(500)}where it was`
  tellFailures({
    fine: result,
    one: { failures: [{ name: 'long', output }] },
    other: { failures: [{ name: 'short', output: 'all' }] },
  })
  const printed = mock.calls.map(({ arguments: [text] }) => text).join('')
  assert.match(printed, /FAILED: one: long\n {2}what it was\n[^]*\n {2}…\n[^]*\n {2}where it was/)
  assert.match(printed, /FAILED: other: short\n {2}all/)
  assert.ok(printed.length < 4000)
})

test('says how the process of a file ended that has run no test, and the last that it wrote', async () => {
  const ends = mkdtempSync(join(tmpdir(), 'heed-runner-'))
  try {
    for (const [name, code] of [
      ['exits', "console.error('no more of this'); process.exitCode = 13"],
      ['is killed', "process.kill(process.pid, 'SIGKILL')"],
    ]) {
      writeFileSync(join(ends, `${name}.test.js`), code)
    }
    const { failures } = await nodeTests('runner-ends', relative(root, ends), { node: process.execPath, concurrency: 1 })
    assert.deepEqual(
      failures.map(({ output }) => /ended with \w+/.exec(output)[0]),
      ['ended with 13', 'ended with SIGKILL'],
    )
    assert.match(failures[0].output, /no more of this/)
    const results = {
      ends: { passed: 0, failed: 2, failures: failures.map(failure => ({ ...failure, again: async () => ({ passed: true }) })) },
    }
    assert.deepEqual(
      (await runFailuresAgain({ ends: {} }, results)).map(({ name }) => /\w+ \w+/.exec(name)?.[0]),
      ['is killed'],
    )
  } finally {
    rmSync(ends, { recursive: true })
  }
})

test('runs a test again that a helper defines', async () => {
  const defined = mkdtempSync(join(tmpdir(), 'heed-runner-'))
  try {
    writeFileSync(
      join(defined, 'helper.mjs'),
      "import { test } from 'node:test'\nexport const define = (name, body) => test(name, body)",
    )
    writeFileSync(
      join(defined, 'fails.test.js'),
      "import { define } from './helper.mjs'\ndefine('fails', () => { throw new Error('as ever') })",
    )
    writeFileSync(join(defined, 'passes.test.js'), "import { define } from './helper.mjs'\ndefine('passes', () => {})")
    const results = {
      defined: await nodeTests('runner-defined', relative(root, defined), { node: process.execPath, concurrency: 1 }),
    }
    assert.deepEqual(await runFailuresAgain({ defined: { mayFailOnce: true } }, results), [])
    assert.match(results.defined.failures[0].output, /and again:[^]*as ever/)
  } finally {
    rmSync(defined, { recursive: true })
  }
})

test('three unsteady tests are too many', () =>
  assert.deepEqual(
    [2, 3].map(length => tooMany({ length })),
    [false, true],
  ))
