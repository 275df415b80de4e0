// A file from the disk: the page offers to store it at once; after a reload it opens the stored copy, or says which file was open.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRoot } from '../../../tools/paths.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { bring, say, shown } from '../chatting.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasModel } from '../page.mjs'

const hasNamed = (page, name) => page.waitForFunction(name => globalThis.heed?.model?.info.name === name, name)
const offered = (page, why) => page.waitForFunction(why => document.getElementById('keep-why')?.textContent === why, why)

atBothWidths(
  'a file that was not stored is named after a reload, and one button lets the user choose it again',
  async ({ open }) => {
    const page = await open()
    await hasModel(page)
    await bring(page, scriptedModel(['Yes.', 'No.']), 'my model')
    await offered(page, 'A reload closes this file.')
    await say(page, 'The first message')
    await page.evaluate(() => globalThis.heed.keeper.flush())
    for (let reloads = 0; reloads < 2; reloads++) {
      await page.reload()
      await hasNamed(page, 'heed-stories')
      await offered(page, '“my model.gguf” was open before the reload.')
      assert.equal(await page.textContent('#chat-note'), '', 'it is said once')
    }
    await page.evaluate(() => {
      document.getElementById('file').click = () => {
        globalThis.isAsked = true
      }
    })
    await page.click('#keep-file')
    assert.ok(await page.evaluate(() => globalThis.isAsked))
    await bring(page, scriptedModel(['Yes.', 'No.']), 'my model')
    await offered(page, 'A reload closes this file.')
    assert.deepEqual(await shown(page), ['The first message', 'Yes.'])
    // Another model replaces it: it is no longer mentioned.
    await page.click('#other-models summary')
    await page.click('#bundled')
    await hasNamed(page, 'heed-stories')
    await page.waitForSelector('#keep', { state: 'hidden' })
    await page.reload()
    await hasModel(page)
    assert.ok(await page.isHidden('#keep'))
    // The next visit knows its name from the conversation.
    const other = await open()
    await hasModel(other)
    await other.waitForFunction(() => document.getElementById('chat-note').textContent.includes('my model.gguf'))
    assert.equal(
      await other.textContent('#chat-note'),
      'This conversation was held with “my model.gguf”: choose this file again to go on with it. Choose it…',
    )
    assertCalm(page)
  },
)

const french = { name: 'translator.gguf', bytes: readFileSync(inRoot('models/tiny/heed-french.gguf')) }

atBothWidths('a file that was stored is open again after a reload, with its texts', async ({ open, browser }) => {
  const page = await open()
  await hasModel(page)
  await chooseFiles(page, '#file', [french])
  await hasNamed(page, 'heed-french')
  await offered(page, 'A reload closes this file.')
  await page.click('#keep-file')
  await page.waitForFunction(
    () => document.getElementById('keep-status').textContent !== '' || document.querySelector('.notice') !== null,
  )
  if (browser === 'firefox' && (await page.locator('.notice').count()) > 0) return // its tests have no room for files
  assert.equal(await page.textContent('#keep-status'), 'Stored')
  await page.click('#write')
  await page.waitForFunction(() => globalThis.heed.versions.current?.outcome)
  for (let reloads = 0; reloads < 2; reloads++) {
    await page.evaluate(() => globalThis.heed.drafts.then(desk => desk.flush()))
    await page.reload()
    await hasNamed(page, 'heed-french')
    await page.waitForFunction(() => globalThis.heed.versions.current?.outcome)
  }
  assert.ok(await page.isHidden('#keep'))
  assertCalm(page)
})
