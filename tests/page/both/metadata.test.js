// All metadata of a model's files: listed on request, filtered, and copied as JSON.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRoot } from '../../../tools/paths.mjs'
import { scriptedModel } from '../../support/scripted_model.mjs'
import { bring } from '../chatting.mjs'
import { assertCalm, atBothWidths, chooseFiles, hasModel } from '../page.mjs'

async function openMetadata(page) {
  if (!(await page.isVisible('#facts dl'))) await page.click('#facts > details > summary') // it stays open when another model comes
  await page.click('#facts .metadata summary')
  await page.waitForSelector('#facts .metadata section')
}

const rows = page =>
  page.evaluate(() =>
    [...document.querySelectorAll('.metadata tbody tr')]
      .filter(row => !row.hidden)
      .map(row => [...row.children].map(({ textContent }) => textContent)),
  )

atBothWidths('the metadata of the bundled model: keys, types and values, filtered and copied', async ({ open, width }) => {
  const page = await open()
  await hasModel(page)
  assert.equal(await page.locator('.metadata table').count(), 0, 'read when it is opened')
  await openMetadata(page)
  const all = await rows(page)
  assert.deepEqual(
    all.find(([key]) => key === 'general.name'),
    ['general.name', 'string', 'heed-stories'],
  )
  const [, type, tokens] = all.find(([key]) => key === 'tokenizer.ggml.tokens')
  assert.equal(type, 'string[]')
  assert.match(tokens, /^\d+ values: .*…$/)
  assert.ok(
    all.every(([, , value]) => value.length <= 170),
    'values are shortened',
  )
  await page.fill('.metadata input', 'GENERAL.')
  const filtered = await rows(page)
  assert.ok(filtered.length > 1 && filtered.length < all.length)
  assert.ok(filtered.every(row => row.join(' ').toLowerCase().includes('general.')))
  assert.equal(await page.textContent('.metadata [role=status]'), `${filtered.length} of ${all.length} keys`)
  await page.evaluate(() => {
    navigator.clipboard.writeText = async text => {
      globalThis.copied = text
    }
  })
  await page.click('.metadata button')
  await page.waitForFunction(() => globalThis.copied)
  const copied = JSON.parse(await page.evaluate(() => globalThis.copied))
  assert.deepEqual(
    Object.keys(copied),
    filtered.map(([key]) => key),
  )
  assert.equal(copied['general.name'], 'heed-stories')
  const right = await page.evaluate(() => document.querySelector('.metadata-frame').getBoundingClientRect().right)
  assert.ok(right <= width)
  assertCalm(page)
})

atBothWidths('the metadata of a file from the disk, and of both files of a pair; a damaged one is said to be', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  await bring(page, scriptedModel(['Yes.']))
  await openMetadata(page)
  assert.ok((await rows(page)).some(([key]) => key === 'tokenizer.chat_template'))
  await page.evaluate(() => {
    globalThis.kept = globalThis.heed.model
  })
  await chooseFiles(
    page,
    '#file',
    ['heed-questions.gguf', 'mmproj-heed-questions.gguf'].map(name => ({
      name,
      bytes: readFileSync(inRoot(`models/tiny/${name}`)),
    })),
  )
  await page.waitForFunction(() => globalThis.heed.model !== globalThis.kept)
  await openMetadata(page)
  assert.deepEqual(await page.locator('.metadata h3').allTextContents(), ['heed-questions.gguf', 'mmproj-heed-questions.gguf'])
  assert.ok((await rows(page)).some(([key]) => key.includes('projector')))
  assertCalm(page)
})

atBothWidths('the details of a model stay open when another one takes its place', async ({ open }) => {
  const page = await open()
  await hasModel(page)
  assert.equal(await page.isVisible('#facts dl'), false)
  await page.click('#facts > details > summary')
  await bring(page, scriptedModel(['Yes.']))
  await page.waitForFunction(() => document.querySelector('.model-name').textContent === 'scripted')
  assert.equal(await page.isVisible('#facts dl'), true)
  assertCalm(page)
})
