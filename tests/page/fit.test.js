// Whether a model will run here: asked with a button beside each model of the lists, from the model's header.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOwnBrowser, openPage } from './page.mjs'

test(
  'the lists say of a model whether it fits, how fast it is, and what went wrong',
  inOwnBrowser(async (browser, site) => {
    await browser.context.route(/huggingface\.co/, route => route.fulfill({ status: 404, body: '' }))
    const page = await openPage(browser, site.url)
    await page.evaluate(() => {
      document.getElementById('other-models').open = true
    })
    const own = page.locator('#tiny li').first()
    await own.locator('.ask-fit button').click()
    const answer = own.locator('.ask-fit [role=status]', { hasText: 'Fits' })
    await answer.waitFor()
    assert.match(
      await answer.textContent(),
      /^Fits: [\d.]+ MB of memory with \d+ tokens of context\. About [\d.]+ tokens\/s, and [\d.]+ tokens\/s while it reads\.$/,
    )
    assert.ok(await own.locator('.ask-fit button').isHidden())
    const foreign = page.locator('#catalogue li').first()
    await foreign.locator('.ask-fit button').click()
    await foreign.locator('.ask-fit [role=status]', { hasText: '404' }).waitFor()
    assert.ok(await foreign.locator('.ask-fit button').isEnabled())
  }),
)
