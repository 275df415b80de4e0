// The template notes: notes are written, changed, deleted, found by meaning, and present again at the next visit.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRoot } from '../../tools/paths.mjs'
import { siteTest } from './support.mjs'

const files = {
  '.env': 'VITE_EMBEDDING_MODEL=heed-events.gguf\n',
  'public/heed-events.gguf': readFileSync(inRoot('models/tiny/heed-events.gguf')),
}
const template = 'notes'
const ready = '#status:has-text("is ready")'

async function write(page, text) {
  const before = await page.locator('#notes li').count()
  await page.fill('#text', text)
  await page.click('#add')
  await page.waitForFunction(before => document.querySelectorAll('#notes li').length === before + 1, before)
}

/** Searches, and resolves to the texts that are shown. */
async function search(page, text) {
  await page.fill('#query', text)
  await page.waitForFunction(text => document.querySelector('#notes').dataset.shown === text, text)
  return page.locator('#notes .said').allInnerTexts()
}

siteTest('notes: found by meaning, and kept', { template, files, ready }, async (page, { again }) => {
  await write(page, 'The queen thanked the boy because he was clever.')
  await write(page, 'The boy thanked the queen because she was clever.')
  await write(page, '<b>Buy</b> a lamp at the market.')
  assert.deepEqual(await search(page, ''), [
    '<b>Buy</b> a lamp at the market.',
    'The boy thanked the queen because she was clever.',
    'The queen thanked the boy because he was clever.',
  ])
  // The same words as in the other note: only the meaning differs.
  assert.match((await search(page, 'The queen was thanked by the boy since the queen was smart.'))[0], /^The boy thanked/)
  assert.match((await search(page, 'The boy was thanked by the queen since the boy was smart.'))[0], /^The queen thanked/)
  assert.match((await search(page, 'market lamps'))[0], /^<b>Buy/)

  await page.locator('#notes li', { hasText: 'lamp' }).locator('text=Edit').click()
  await page.fill('#notes textarea', 'Buy a drum.')
  await page.click('text=Save')
  await page.locator('#notes .said', { hasText: 'drum' }).or(page.locator('#count:has-text("of 3 found")')).first().waitFor()
  assert.match((await search(page, 'drums'))[0], /^Buy a drum/)
  await search(page, '')
  await page.locator('#notes li', { hasText: 'The queen thanked' }).locator('text=Delete').click()
  await page.locator('#count:has-text("2 notes")').waitFor()

  const next = await again()
  assert.deepEqual(await search(next, ''), ['Buy a drum.', 'The boy thanked the queen because she was clever.'])
  // A note that was changed shortly before is embedded now.
  await next.waitForFunction(
    expected =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('notes')
        opening.onerror = reject
        opening.onsuccess = () => {
          const asked = opening.result.transaction('notes').objectStore('notes').getAll()
          asked.onsuccess = () => {
            const found = asked.result.map(({ embedder, vector }) => `${embedder} ${vector?.length}`)
            opening.result.close()
            resolve(found.length === 2 && found.every(one => one === expected))
          }
        }
      }),
    'heed-events.gguf 64',
  )
})
