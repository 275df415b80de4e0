// `npm run gallery`: five pictures of the page and a short recording of it, in build/gallery. The page must have been built.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { startChromium } from './browsers/chromium.mjs'
import { animated } from './gallery/animated-webp.mjs'
import { still } from './gallery/capture.mjs'
import { record } from './gallery/recording.mjs'
import { scenes } from './gallery/scenes.mjs'
import { inRoot } from './paths.mjs'
import { serve } from './serve.mjs'

/** A recording that is larger is no longer looked at on a phone. */
const mostBytes = 300_000

const folder = inRoot('build/gallery')

function save(name, bytes) {
  writeFileSync(`${folder}/${name}`, bytes)
  console.log(`build/gallery/${name}: ${Math.round(bytes.length / 1000)} KB`)
}

/** Opens the page in a window of its own, as a new visitor, with its model loaded, and gives it to `body`. */
async function inWindow(url, { size, colorScheme, scale }, body) {
  const browser = await startChromium({ viewport: size, deviceScaleFactor: scale, colorScheme, reducedMotion: 'reduce' })
  try {
    const page = await browser.open(url)
    page.setDefaultTimeout(60_000)
    await page.waitForFunction(() => globalThis.heed?.model && document.querySelector('heed-viewer').attention)
    return await body(page)
  } finally {
    await browser.close()
  }
}

if (!existsSync(inRoot('build/page/index.html'))) throw new Error('the page is not built: npm run build -- page')
mkdirSync(folder, { recursive: true })
const server = await serve(inRoot('build/page'))
try {
  for (const { name, prepare, ...window } of scenes) {
    await inWindow(server.url, window, async page => {
      await prepare(page)
      save(`${name}.webp`, await still(page))
    })
  }
  const recorded = await inWindow(server.url, { size: { width: 1080, height: 680 }, colorScheme: 'light', scale: 1 }, record)
  const film = animated(recorded)
  save('recording.webp', film)
  if (film.length > mostBytes) throw new Error(`the recording is over ${mostBytes / 1000} KB`)
} finally {
  await server.close()
}
