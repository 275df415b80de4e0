// What a user does: `npm pack`, installed in an empty Vite project, built unconfigured, opened in a browser.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { useBrowser } from './support.mjs'

const files = {
  'package.json': '{ "name": "empty", "private": true, "type": "module" }',
  'index.html': '<!doctype html><link rel="icon" href="data:,">'
    + '<script type="module" src="/main.js"></script>',
  'main.js': `
    import { loadModel } from 'heed'
    const model = await loadModel(undefined, { threads: 2 })
    const { text } = await model.generate('Once', { maxTokens: 8, seed: 1, stopAtEnd: false })
    globalThis.result = { text, threads: model.info.threads }`,
}

const { threads, open } = useBrowser()

/** What the page of the project has come to. */
async function result() {
  while (!globalThis.result) await new Promise(resolve => setTimeout(resolve, 10))
  return globalThis.result
}

test('npm pack, installed in an empty Vite project, builds and generates', async () => {
  const project = mkdtempSync(join(tmpdir(), 'heed-vite-'))
  try {
    const run = (command, ...args) =>
      execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
    // What is built is packed: the suite that runs this test built it.
    run('npm', 'pack', '--ignore-scripts', '--silent', inRoot())
    const [tarball] = readdirSync(project).filter(name => name.endsWith('.tgz'))
    run('npm', 'install', '--offline', '--no-audit', '--no-fund', join(project, tarball))
    const output = run(process.execPath, inRoot('node_modules/vite/bin/vite.js'), 'build')
    assert.doesNotMatch(output, /warn/i)
    const texts = new Set()
    for (const name of ['isolated', 'open']) {
      const server = await serve(join(project, 'dist'), { isolated: name === 'isolated' })
      const page = await open(server.url)
      const given = await page.evaluate(result)
      assert.equal(given.threads, threads[name])
      assert.deepEqual(page.problems, [])
      texts.add(given.text)
      await page.close()
      await server.close()
    }
    assert.equal(texts.size, 1)
    assert.ok([...texts][0].length > 0)
  } finally {
    rmSync(project, { recursive: true })
  }
})
