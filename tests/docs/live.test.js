// The manual's snippets that readers can change and run.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseAst } from 'vite'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { serve } from '../../tools/serve.mjs'
import { blocksOf, documents } from '../support/snippets.mjs'
import { builtManual } from './site.mjs'

const { root } = builtManual({ live: true })
const live = documents.flatMap(blocksOf).filter(({ isLive }) => isLive)
let server, chromium

before(async () => {
  server = await serve(root)
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await server.close()
})

const open = path => chromium.open(`${server.url}some/where/manual/${path}`)
const outputOf = page => page.frameLocator('.output').locator('body')

test('they are JavaScript, too, and load nothing but the bundled model', () => {
  assert.ok(live.length >= 8, `${live.length}`)
  for (const { source, name } of live) {
    assert.doesNotThrow(() => parseAst(source), name)
    assert.doesNotMatch(source, /loadModel\(['"]/, name)
  }
})

for (const path of new Set(live.map(({ path }) => path))) {
  test(`${path}: runs to its end, and prints`, async () => {
    const page = await open(path.replace('docs/', '').replace(/\.md$/, '.html'))
    const count = live.filter(block => block.path === path).length
    await page
      .locator('.run')
      .nth(count - 1)
      .waitFor()
    assert.equal(await page.locator('.run').count(), count)
    for (let at = 0; at < count; at++) {
      await page.locator('.run').nth(at).click()
      await page.locator('.run').nth(at).getByText('Run again').waitFor()
      const output = page.frameLocator('.output').nth(at).locator('body')
      assert.equal(await output.locator('.error').count(), 0, await output.textContent())
      assert.ok(
        (await output.textContent()).length > 10 || (await output.locator('canvas').count()) > 0,
        await output.textContent(),
      )
    }
    assert.deepEqual(page.problems, [])
    await page.close()
  })
}

test('what the reader writes runs, and an error shows its code', async () => {
  const page = await open('start.html')
  const code = page.getByRole('textbox', { name: 'Code' })
  await code.fill(
    "import { loadModel } from 'heed'\nconsole.log(6 * 7, crossOriginIsolated, new Float32Array([0.5]))\nawait loadModel('none.gguf')",
  )
  await page.locator('.run').click()
  await page.locator('.run').getByText('Run again').waitFor()
  assert.match(await outputOf(page).textContent(), /42 true Float32Array\(1\) \[0\.500\].*HeedError \(network\)/s)
  await page.close()
})

test('a snippet that does not end is stopped', async () => {
  const page = await open('start.html')
  await page.getByRole('textbox', { name: 'Code' }).fill("console.log('waits')\nawait new Promise(() => {})")
  await page.locator('.run').click()
  await outputOf(page).getByText('waits').waitFor()
  await page.locator('.run').getByText('Stop').click()
  assert.equal(await page.locator('.output').count(), 0)
  await page.close()
})
