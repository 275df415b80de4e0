// A reload returns to the room and the model that were open.
import assert from 'node:assert/strict'
import { atBothWidths, assertCalm, changed, hasModel, keep, keptForOffline, ready, takeTiny } from '../page.mjs'

const offline = { worksOffline: true }

const restored = page => page.waitForFunction(() => globalThis.heed?.drafts.then(() => true))

async function reload(page) {
  await restored(page)
  await page.waitForFunction(() => globalThis.heed.drafts.then(desk => desk.flush()).then(() => true))
  await page.reload()
  await restored(page)
  await hasModel(page)
}

const room = page => page.evaluate(() => document.querySelector('#rooms :checked').value)

const openText = page => page.evaluate(() => document.querySelector('#rooms [value=text]').click())

atBothWidths(
  'a reload returns to free text: on the first visit, and after the skip link',
  async ({ open }) => {
    const page = await open()
    await hasModel(page)
    await page.evaluate(async () => {
      for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
    })
    await page.reload()
    await keptForOffline(page) // the service worker is new, and takes over the page
    await openText(page)
    await reload(page)
    assert.equal(await room(page), 'text')
    await page.evaluate(() => document.getElementById('skip').click())
    await page.waitForFunction(() => location.hash === '#prompt')
    await reload(page)
    assert.equal(await room(page), 'text')
    assertCalm(page)
  },
  offline,
)

atBothWidths(
  'Back from the manual returns to free text, on the first visit, too',
  async ({ open, site }) => {
    const page = await open()
    await ready(page)
    await page.fill('#prompt', 'A dog sang')
    await page.waitForFunction(() => globalThis.heed.passage.prompt === 'A dog sang')
    await page.goto(`${site.url}manual/`)
    await page.evaluate(() => {
      setTimeout(() => history.back()) // once this script has its result, because the document goes
    })
    await page.waitForFunction(() => globalThis.heed?.model)
    await restored(page)
    assert.equal(await room(page), 'text')
    assert.equal(await page.inputValue('#prompt'), 'A dog sang')
    assertCalm(page)
  },
  offline,
)

atBothWidths(
  'a reload opens the model again that was open, with its texts, and a bundled one, too',
  async ({ open }) => {
    const page = await open()
    await ready(page)
    // What is read aloud of a token is about the model that it is of.
    await page.evaluate(() => {
      globalThis.heed.viewer.token = 3
    })
    const spoken = () => page.evaluate(() => globalThis.heed.viewer.shadowRoot.getElementById('speech').textContent)
    await page.waitForFunction(() => globalThis.heed.viewer.shadowRoot.getElementById('speech').textContent !== '')
    await keep(page)
    await takeTiny(page, 'heed-french')
    await changed(page)
    assert.equal(await spoken(), '')
    await page.click('#write')
    await page.waitForFunction(() => globalThis.heed.versions.current?.outcome)
    await reload(page)
    await page.waitForFunction(() => globalThis.heed.versions.list.value.length === 1)
    assert.equal(await page.evaluate(() => globalThis.heed.model.info.architecture), 't5')
    await page.evaluate(() => document.getElementById('bundled').click())
    await page.waitForFunction(() => globalThis.heed.model.info.name === 'heed-stories')
    await reload(page)
    assert.equal(await page.evaluate(() => globalThis.heed.model.info.name), 'heed-stories')
    assert.ok(await page.isHidden('#keep'))
    assertCalm(page)
  },
  offline,
)
