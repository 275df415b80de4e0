// An uncaught error as Node prints it: short lines, with the caller's own among them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

/** Runs a module that fails, and returns the output of Node. */
const printed = body =>
  new Promise(resolve => {
    const code = `import { loadModel } from 'heed'\nconst model = await loadModel(undefined, { threads: 1 })\n${body}`
    execFile(process.execPath, ['--input-type=module', '-e', code], { cwd: inRoot(), timeout: 60_000 }, (error, _, stderr) =>
      resolve({ error, stderr }),
    )
  })

const user = "{ role: 'user', content: 'Hi' }"
const failing = {
  'a call of the engine': 'await model.logits([10 ** 6])',
  'a generation': "await model.generate('Once '.repeat(2000))",
  'the loop over a generation': "for await (const token of model.generate('Once '.repeat(2000))) console.log(token)",
  'a chat': `await model.chat([${user}], { template: '{{ raise_exception("No.") }}' })`,
  'an option': "model.generate('Once', { maxToken: 5 })",
  'a message': 'model.chat([5])',
  'a part of a message': `model.chat([${user}, { role: 'user', content: [{ type: 'text', text: 5 }] }])`,
  'a part of an option': "model.generate('Once', { attention: { layers: [-1] } })",
  'a part of a prompt': 'model.generate([{ ids: [0.5] }])',
  'a session': "const session = await model.session(); await session.append('Once '.repeat(2000))",
  'a call after the end': 'await model.dispose(); await model.memory()',
}

for (const [name, body] of Object.entries(failing)) {
  test(`an uncaught error of ${name} shows the caller's line, and no long one`, async () => {
    const { error, stderr } = await printed(body)
    assert.ok(error, stderr)
    assert.match(stderr, /HeedError|TemplateError/)
    assert.doesNotMatch(stderr, /cause\]: undefined/)
    assert.match(stderr, /\[eval1\]:3:\d+/)
    for (const line of stderr.split('\n')) assert.ok(line.length < 500, line)
  })
}

test('scripts for Node have no long lines', () => {
  for (const name of readdirSync(inRoot('dist')).filter(file => /\.node\.c?js$|\.cjs$|^heed-cli\.js$/.test(file))) {
    const longest = readFileSync(inRoot('dist', name), 'utf8')
      .split('\n')
      .reduce((most, { length }) => Math.max(most, length), 0)
    assert.ok(longest < 2000, `${name}: ${longest}`)
  }
})
