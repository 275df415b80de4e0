// What a user does: `npm pack`, installed in an empty Vite project, built unconfigured, opened in a browser.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { startChromium } from '../../tools/browsers/chromium.mjs'

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

test('npm pack, installed in an empty Vite project, builds and generates', async () => {
  const project = mkdtempSync(join(tmpdir(), 'heed-vite-'))
  const browser = await startChromium()
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
    for (const [isolated, threads] of [[true, 2], [false, 1]]) {
      const server = await serve(join(project, 'dist'), { isolated })
      const page = await browser.open(server.url)
      const result = await page.waitForFunction(() => globalThis.result).then(handle => handle.jsonValue())
      assert.equal(result.threads, threads)
      assert.deepEqual(page.problems, [])
      texts.add(result.text)
      await page.close()
      await server.close()
    }
    assert.equal(texts.size, 1)
    assert.ok([...texts][0].length > 0)
  } finally {
    await browser.close()
    rmSync(project, { recursive: true })
  }
})
