// Pictures of what a page shows, as WebP, by Chromium itself.

/** A function that takes a picture of the window, `scale` times its size. */
export async function camera(page, { quality, scale = 1 }) {
  const session = await page.context().newCDPSession(page)
  const { width, height } = page.viewportSize()
  return async () => {
    const clip = { ...(await page.evaluate(() => ({ x: scrollX, y: scrollY }))), width, height, scale }
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip })
    return Buffer.from(data, 'base64')
  }
}

export const still = async page => (await camera(page, { quality: 75 }))()
