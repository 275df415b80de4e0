// The template forms: a form is filled from a text, corrected, checked, and filled again without changing the corrections.
import assert from 'node:assert/strict'
import { siteTest } from './support.mjs'

siteTest('forms: fields are filled, checked and corrected', { template: 'forms', ready: '#fill:enabled' }, async page => {
  const filled = async () => {
    await page.click('#fill')
    await page.locator('#form[aria-busy=false]').waitFor()
    await page.locator('#fill:enabled').waitFor()
  }
  const use = () => page.click('#use')
  await filled()
  assert.equal(await page.inputValue('#field-characters'), 'Pip the fox\nAda the owl')
  assert.equal(await page.inputValue('#field-objects'), 'lantern')
  assert.equal(await page.inputValue('#field-place'), 'near the river')
  await use()
  await page.locator('#result:visible').waitFor()
  assert.deepEqual(JSON.parse(await page.innerText('#result')), {
    characters: ['Pip the fox', 'Ada the owl'],
    objects: ['lantern'],
    place: 'near the river',
  })

  await page.fill('#field-place', 'x'.repeat(61))
  await use()
  await page.locator('#field-place[aria-invalid=true]').waitFor()
  assert.match(await page.innerText('#field-place-fault'), /at most 60 characters/)
  await page.locator('#result').waitFor({ state: 'hidden' })

  await page.fill('#field-place', 'in the harbor')
  await filled()
  assert.equal(await page.inputValue('#field-place'), 'in the harbor')
  assert.match(await page.inputValue('#field-characters'), /Pip/)
  await use()
  await page.locator('#result:visible').waitFor()
  assert.equal(JSON.parse(await page.innerText('#result')).place, 'in the harbor')

  await page.selectOption('#kind', { label: 'A message to the office' })
  await use()
  await page.locator('#field-name[aria-invalid=true]').waitFor()
  await page.fill('#field-name', 'Jo')
  await page.fill('#field-email', 'nowhere')
  await page.fill('#field-pieces', '100')
  await page.selectOption('#field-topic', 'repair')
  await page.fill('#field-summary', 'Two lamps flicker.')
  await use()
  await page.locator('#field-pieces[aria-invalid=true]').waitFor()
  await page.locator('#field-email[aria-invalid=true]').waitFor()
  await page.fill('#field-email', '')
  await page.fill('#field-pieces', '2')
  await page.check('#field-urgent')
  await use()
  await page.locator('#result:visible').waitFor()
  assert.deepEqual(JSON.parse(await page.innerText('#result')), {
    name: 'Jo',
    topic: 'repair',
    pieces: 2,
    urgent: true,
    summary: 'Two lamps flicker.',
  })
})
