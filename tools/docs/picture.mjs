// The picture of the README: the page after a question, with the head that found the answer. `node tools/docs/picture.mjs`, with the page built, writes
// docs/images/page.webp.
import { mkdirSync, writeFileSync } from 'node:fs'
import { startChromium } from '../browsers/chromium.mjs'
import { inRoot } from '../paths.mjs'
import { serve } from '../serve.mjs'

const server = await serve(inRoot('build/page'))
const browser = await startChromium({ viewport: { width: 1280, height: 660 }, deviceScaleFactor: 1, colorScheme: 'light' })
try {
  const page = await browser.open(server.url)
  await page.fill('#message', 'A fox named Pip lost a lantern near the river. An owl called Ada found it. Who found the lantern?')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Where did it find that?' }).click()
  await page.waitForFunction(() => document.querySelector('heed-viewer').attention)
  await page.evaluate(() => document.querySelector('heed-viewer').settled())
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 })
  mkdirSync(inRoot('docs/images'), { recursive: true })
  writeFileSync(inRoot('docs/images/page.webp'), Buffer.from(data, 'base64'))
} finally {
  await browser.close()
  await server.close()
}
