// Image models on the page: the attention of patches is shown as light on the image, and can be explored with the keyboard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { similarity } from 'heed'
import { withModel } from '../package/support.mjs'
import { goldenBytes, goldenFile } from '../support/golden.mjs'
import { assertCalm, changed, choose, drop, keep, openPage, visitPage } from './page.mjs'

const { browser, site } = await visitPage({ viewport: { width: 1280, height: 1000 } })

/** A PNG file of an image with two halves. */
const png = (page, left, right, [width, height] = [60, 40]) =>
  page
    .evaluate(
      async ([left, right, width, height]) => {
        const canvas = new OffscreenCanvas(width, height)
        const context = canvas.getContext('2d')
        for (const [color, x] of [
          [left, 0],
          [right, width / 2],
        ]) {
          context.fillStyle = color
          context.fillRect(x, 0, width / 2, height)
        }
        const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
        return [...bytes]
      },
      [left, right, width, height],
    )
    .then(Buffer.from)

/** The image that the model sees on the page. */
const pictureOf = page =>
  page
    .evaluate(() => {
      const { width, height, data } = globalThis.heed.picture
      const characters = [] // a string is transferred faster than an array
      for (let at = 0; at < data.length; at += 4096) characters.push(String.fromCharCode(...data.subarray(at, at + 4096)))
      return { width, height, characters: characters.join('') }
    })
    .then(({ characters, ...size }) => ({ ...size, data: Uint8Array.from(Buffer.from(characters, 'latin1')) }))

/** How dark the page makes each patch, 0 to 255. */
const shadows = page =>
  page.locator('#picture-overlay').evaluate(canvas => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return [...data].filter((_, index) => index % 4 === 3)
  })

/** Checks that patches are lit by a token's weights. */
async function assertLit(page, weights, token, tokens) {
  const row = [...weights.subarray(token * tokens + 1, (token + 1) * tokens)]
  const strongest = Math.max(...row)
  const dark = await shadows(page)
  assert.equal(dark.length, row.length)
  dark.forEach((shadow, patch) =>
    assert.ok(Math.abs(shadow - (1 - row[patch] / strongest) * 0.82 * 255) <= 1, `patch ${patch}: ${shadow}`),
  )
}

const meanOf = heads => heads[0].map((_, index) => heads.reduce((sum, head) => sum + head[index], 0) / heads.length)

const withPage = (name, body) =>
  withModel(goldenFile(name), {}, async model => {
    const page = await openPage(browser, site.url)
    await choose(page, name, goldenBytes(name))
    await body(page, model)
    assertCalm(page)
    await page.close()
  })

for (const name of ['vit', 'clip']) {
  test(`${name}: the light shows the weights of the whole image, of a patch pointed at, and of the chosen head`, () =>
    withPage(name, async (page, model) => {
      const { weights, patches } = await model.imageAttention(await pictureOf(page), { layers: [0] })
      const tokens = 1 + patches ** 2
      const mean = meanOf(weights[0])
      await assertLit(page, mean, 0, tokens)
      const box = await page.locator('#picture').boundingBox()
      const [row, column] = [2, 1]
      const side = box.width / patches
      await page.mouse.move(box.x + (column + 0.5) * side, box.y + (row + 0.5) * side)
      await assertLit(page, mean, 1 + row * patches + column, tokens)
      assert.match(await page.textContent('#picture-readout'), /^Row 3, column 2 looks most at .*: [\d.]+ %/)
      await page.mouse.move(5, 5)
      await page.check('input[name=head][value="2"]', { force: true })
      await assertLit(page, weights[0][2], 0, tokens)
      await page.fill('#layer', '1')
      await page.waitForFunction(() => globalThis.heed.pictureAttention.layer === 1)
      const next = await model.imageAttention(await pictureOf(page), { layers: [1], heads: [2] })
      await assertLit(page, next.weights[0][0], 0, tokens)
    }))
}

test('patches are selected with the keyboard, and announced', () =>
  withPage('vit', async (page, model) => {
    const { weights, patches } = await model.imageAttention(await pictureOf(page), { layers: [0] })
    const tokens = 1 + patches ** 2
    await page.focus('#picture')
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
    const token = 1 + patches + 1
    await assertLit(page, meanOf(weights[0]), token, tokens)
    assert.match(await page.textContent('#speech'), /^Row 2, column 2 looks most at /)
    assert.ok(await page.locator('#picture-subject').isVisible())
    for (const key of ['End', 'ArrowRight', 'ArrowUp', 'ArrowUp', 'Home', 'ArrowLeft']) await page.keyboard.press(key)
    assert.match(await page.textContent('#speech'), /^Row 1, column 1 looks/)
    await page.keyboard.press('Escape')
    await assertLit(page, meanOf(weights[0]), 0, tokens)
    assert.ok(await page.locator('#picture-subject').isHidden())
  }))

test('a held patch shows how much it attends to others', () =>
  withPage('vit', async (page, model) => {
    const { weights, patches } = await model.imageAttention(await pictureOf(page), { layers: [0] })
    const tokens = 1 + patches ** 2
    const { width } = await page.locator('#picture').boundingBox()
    const at = patch => ({
      x: (((patch % patches) + 0.5) * width) / patches,
      y: ((Math.floor(patch / patches) + 0.5) * width) / patches,
    })
    await page.click('#picture', { position: at(4) })
    await page.hover('#picture', { position: at(2) })
    const share = meanOf(weights[0])[5 * tokens + 3]
    assert.equal(
      await page.textContent('#picture-readout'),
      `Row 2, column 2 looks at row 1, column 3: ${(share * 100).toFixed(1)} %`,
    )
    await page.click('#picture', { position: at(4) })
    assert.match(await page.textContent('#picture-readout'), /looks most at/)
  }))

test('shows the classes of the image, of another one, and of the drawing again', () =>
  withPage('vit', async (page, model) => {
    /** Waits until the page shows the classes that the model in Node returns for the image. */
    const classified = async () => {
      const classes = await model.classify(await pictureOf(page))
      const expected = classes.map(({ label, probability }) => `${label}${(probability * 100).toFixed(1)} %`)
      await page.waitForFunction(
        expected => [...document.querySelectorAll('#classes li')].map(item => item.textContent).join() === expected,
        expected.join(),
      )
      return expected
    }
    const drawing = await classified()

    await page.setInputFiles('#picture-file', { name: 'halves.png', mimeType: 'image/png', buffer: await png(page, 'red', 'blue') })
    await page.waitForFunction(() => globalThis.heed.picture.width === 40)
    const { data, width, height } = await pictureOf(page)
    assert.deepEqual([width, height], [40, 40], 'the middle of the picture')
    assert.deepEqual([...data.subarray(0, 4), ...data.subarray(-4)], [255, 0, 0, 255, 0, 0, 255, 255])
    assert.notDeepEqual(await classified(), drawing)

    await page.click('#picture-drawn')
    await page.waitForFunction(() => globalThis.heed.picture.width !== 40)
    assert.deepEqual(await classified(), drawing)
  }))

test('orders texts by how well they fit the image', () =>
  withPage('clip', async (page, model) => {
    const lines = ['a fox', 'the hen', 'an owl in a tree']
    await page.fill('#descriptions-box', `${lines.join('\n')}\n\n`)
    await page.waitForFunction(() => document.querySelectorAll('#descriptions li').length === 3)
    const [image] = await model.embedImages([await pictureOf(page)])
    const cosines = (await model.embed(lines)).map(vector => similarity(vector, image))
    const expected = lines.map((line, index) => [line, cosines[index].toFixed(3)]).sort((a, b) => b[1] - a[1])
    const found = await page
      .locator('#descriptions li')
      .evaluateAll(items =>
        items.map(item => [item.querySelector('.bar-text').textContent, item.querySelector('.bar-share').textContent]),
      )
    assert.deepEqual(found, expected)

    await page.fill('#descriptions-box', 'fox '.repeat(60))
    await page.waitForSelector('.notice')
    assert.match(await page.textContent('.notice span'), /too long/)
  }))

test('shows a dropped image, or rejects it if the model does not see', async () => {
  const page = await openPage(browser, site.url)
  const picture = await png(page, 'green', 'white')
  await drop(page, 'halves.png', picture, 'image/png')
  assert.match(await page.textContent('.notice span'), /“halves\.png” is a picture/)
  await keep(page)
  await drop(page, 'vit.gguf', goldenBytes('vit'))
  await changed(page)
  await drop(page, 'halves.png', picture, 'image/png')
  await page.waitForFunction(() => globalThis.heed.picture.width === 40)
  assert.ok(await page.locator('#picture-drawn').isVisible())
  await drop(page, 'broken.png', Buffer.from('not a picture'), 'image/png')
  await page.waitForSelector('.notice')
  assert.match(await page.textContent('.notice span'), /“broken\.png” is not a picture/)
  assert.equal((await pictureOf(page)).width, 40, 'the one before stays')
  assertCalm(page)
  await page.close()
})

for (const width of [360, 768]) {
  test(`next to an image, nothing is wider than a window of ${width} pixels, or without a name`, () =>
    withPage('clip', async page => {
      await page.setViewportSize({ width, height: 800 })
      const { wide, overflowing, unnamed } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        overflowing: everywhere('main *, .viewer *')
          .filter(element => !element.closest('.visually-hidden') && element.getBoundingClientRect().right > innerWidth + 0.5)
          .map(element => element.id || element.className),
        unnamed: everywhere('input, textarea, button, [tabindex]')
          .filter(element => !element.closest('[hidden]'))
          .filter(({ labels, ariaLabel, textContent }) => !labels?.length && !ariaLabel && textContent.trim() === '')
          .map(element => element.outerHTML),
      }))
      assert.ok(wide <= width)
      assert.deepEqual(overflowing, [])
      assert.deepEqual(unnamed, [])
      assert.equal(await page.getAttribute('#skip', 'href'), '#viewer')
    }))
}
