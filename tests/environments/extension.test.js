// The Manifest V3 extension of the examples, loaded into Chromium: its side panel and its service worker.
import assert from 'node:assert/strict'
import { loadModel } from 'heed'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { needBrowser } from '../../tools/browsers/install.mjs'
import { built } from '../../tools/environments/project.mjs'
import { assertNoWarnings, environment, expectedStory } from './support.mjs'

async function expectedTitle() {
  const model = await loadModel()
  const { text } = await model.generate('The Fox and', { seed: 7, maxTokens: 8 })
  await model.dispose()
  return `The Fox and${text}`
}

environment('extension', { source: 'examples/extension', quick: true }, async project => {
  assertNoWarnings(await project.run('build'))
  const folder = built(project, 'extension')
  const { chromium: executablePath } = await needBrowser('whole chromium') // its headless shell has no extensions
  const browser = await startChromium({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  try {
    const { context } = browser
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: 30_000 }))
    const page = await browser.open(new URL('panel.html', worker.url()).href)
    const expected = { story: await expectedStory(), title: await expectedTitle() }
    await page
      .waitForFunction(
        ({ story, title }) =>
          document.querySelector('#story').textContent === story && document.querySelector('#title').textContent === title,
        expected,
        { timeout: 60_000 },
      )
      .catch(async error => {
        throw new Error([error.message, await page.innerText('body'), ...page.problems].join('\n'))
      })
    const cores = await page.evaluate(() => navigator.hardwareConcurrency)
    assert.equal(Number(await page.innerText('#threads')), Math.min(8, cores))
    assert.deepEqual(page.problems, [])
  } finally {
    await browser.close()
  }
})
