// The manual's page with an import map runs unchanged, next to the package's folder.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { serve } from '../../tools/serve.mjs'
import { blocksOf } from '../support/snippets.mjs'

test('the page with an import map generates text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-import-map-'))
  cpSync(inRoot('dist'), join(folder, 'heed/dist'), { recursive: true })
  const { source } = blocksOf('docs/recipes/import-map.md').find(({ language }) => language === 'html')
  writeFileSync(join(folder, 'index.html'), `${source}<link rel="icon" href="data:,">`)
  const server = await serve(folder)
  const chromium = await startChromium()
  try {
    const page = await chromium.open(server.url)
    await page.waitForFunction(() => document.body.textContent.trim().length > 40)
    assert.deepEqual(page.problems, [])
  } finally {
    await chromium.close()
    await server.close()
    rmSync(folder, { recursive: true })
  }
})
