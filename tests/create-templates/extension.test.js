// The template extension in the full Chromium: its panel summarizes the page of its tab, and reports pages that it may not read.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { needBrowser } from '../../tools/browsers/install.mjs'
import { startHost } from '../../tools/environments/host.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { accessFindings, temporaryFolder } from '../create/support.mjs'
import { build, projectTest } from './support.mjs'

const story =
  'A fox named Pip lived near the river. One day Pip lost a lantern in the reeds. An owl called Ada found the lantern and hung it in a tree. ' +
  'Pip saw the light at night and thanked her with a pear.'
const page = `<!doctype html><meta charset="utf-8"><title>The lantern</title><nav>Menu</nav><main><h1>The lantern</h1><p>${story}</p></main>`

/** A click on the icon, which a test cannot make, allows the extension to read the page; here the manifest does. */
const manifest = JSON.parse(readFileSync(inRoot('create/templates/extension/public/manifest.json'), 'utf8'))
const files = { 'public/manifest.json': JSON.stringify({ ...manifest, host_permissions: ['http://localhost/*'] }) }

projectTest('extension: its panel summarizes the page of its tab', 'extension', files, async project => {
  const folder = await build(project)
  const { folder: pages, close } = temporaryFolder()
  writeFileSync(`${pages}/index.html`, page)
  writeFileSync(`${pages}/empty.html`, '<!doctype html><title>Nothing</title>')
  const host = await startHost(pages)
  const { chromium: executablePath } = await needBrowser('whole chromium') // its headless shell has no extensions
  const browser = await startChromium({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  try {
    const { context } = browser
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker', { timeout: 30_000 }))
    const foreign = []
    context.on('request', request => {
      const { protocol, origin } = new URL(request.url())
      if (/^https?:/.test(protocol) && `${origin}/` !== host.url) foreign.push(request.url())
    })
    const article = await browser.open(host.url)
    const tabOf = url => worker.evaluate(async url => (await chrome.tabs.query({ url }))[0].id, url)
    const panel = await browser.open(new URL(`panel.html?tab=${await tabOf(`${host.url}*`)}`, worker.url()).href)
    panel.setDefaultTimeout(60_000)
    await panel.setViewportSize({ width: 360, height: 700 })

    const summarize = async () => {
      await panel.locator('#summarize:enabled').click()
      await panel.locator('#summarize:enabled').waitFor()
      return panel.innerText('#summary')
    }
    const summary = await summarize()
    assert.match(summary, /^The lantern\s/)
    assert.match(summary, /Pip lost (?:a|the) lantern/)
    assert.doesNotMatch(summary, /Menu/)
    assert.ok(summary.length < story.length)
    assert.match(await panel.innerText('#status'), /on \d+ threads?/)
    assert.equal(await panel.evaluate(() => crossOriginIsolated), true)
    assert.deepEqual(await accessFindings(panel), [])

    await article.goto(`${host.url}empty.html`)
    await summarize()
    assert.equal(await panel.innerText('#fault'), 'This page has no text.')
    await article.goto('chrome://version')
    await summarize()
    assert.match(await panel.innerText('#fault'), /^This page cannot be read\. Click the icon/)
    assert.deepEqual(panel.problems, [])
    assert.deepEqual(foreign, [])
  } finally {
    await browser.close()
    await host.close()
    close()
  }
})
