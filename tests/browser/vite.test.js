// The packed package, installed in an empty Vite project without configuration, built, and opened in a browser.
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
  'index.html': '<!doctype html><link rel="icon" href="data:,">' + '<script type="module" src="/main.js"></script>',
  'main.js': `
    import { loadModel } from 'heed'
    const model = await loadModel(undefined, { threads: 2 })
    const { text } = await model.generate('Once', { maxTokens: 8, seed: 1, stopAtEnd: false })
    globalThis.result = { text, threads: model.info.threads }`,
}

const { threads, open } = useBrowser()

/** Waits for the result of the project's page. */
async function result() {
  while (!globalThis.result) await new Promise(resolve => setTimeout(resolve, 10))
  return globalThis.result
}

test('the packed package builds and generates in an empty Vite project', async () => {
  const project = mkdtempSync(join(tmpdir(), 'heed-vite-'))
  try {
    const run = (command, ...args) => execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
    // Without scripts, because the suite has already built the package.
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
