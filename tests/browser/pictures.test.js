// Images of every kind that a page has, in prompts: the same pixels are the same tokens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { everyOpacity, everyPng, jpegFile, jpegNames, oddJpegs, oddPngs, oriented, pngFrom } from '../support/image_files.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { browserName, useBrowser } from './support.mjs'

const { sites, inPage } = useBrowser()

const pixels = ({ width, height, data }) => ({ width, height, data: [...data] })
const projector = projectorFile(128).toString('base64') // for the bundled model

test('a prompt takes image files, canvases, bitmaps, elements and frames of videos', async () => {
  const written = await inPage(
    sites.isolated,
    async ({ projector, image }) => {
      const bytes = Uint8Array.from(atob(projector), character => character.charCodeAt(0))
      const model = await heed.loadModel(undefined, { projector: new File([bytes], 'mmproj.gguf'), threads: 2 })
      const { width, height } = image
      const data = new ImageData(Uint8ClampedArray.from(image.data), width, height)
      const offscreen = new OffscreenCanvas(width, height)
      offscreen.getContext('2d').putImageData(data, 0, 0)
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      canvas.getContext('2d').putImageData(data, 0, 0)
      const element = new Image()
      element.src = canvas.toDataURL('image/png')
      await element.decode()
      const images = {
        pixels: { width, height, data: Uint8Array.from(image.data) },
        imageData: data,
        offscreen,
        canvas,
        element,
        blob: await offscreen.convertToBlob({ type: 'image/png' }),
        bytes: undefined,
        bitmap: await createImageBitmap(data),
        ...(globalThis.VideoFrame && { frame: new VideoFrame(canvas, { timestamp: 0 }) }),
      }
      images.bytes = new Uint8Array(await images.blob.arrayBuffer())
      const options = { temperature: 0, maxTokens: 4, stopAtEnd: false }
      const written = {}
      for (const [name, one] of Object.entries(images)) {
        const { tokens, timings } = await model.generate(['Once ', { image: one }, ' upon a time'], options)
        written[name] = { ids: tokens.map(({ id }) => id), reused: timings.reusedTokens === timings.promptTokens - 1 }
      }
      images.frame?.close()
      written.error = await describe(model.generate([{ image: new Blob(['no image']) }]).result)
      await model.dispose()
      return written
    },
    { projector, image: pixels(shaded(3)) },
  )
  const {
    pixels: { ids },
    error,
    frame,
    ...others
  } = written
  assert.equal(ids.length, 4)
  assert.ok(Object.keys(others).length >= 6)
  for (const [name, other] of Object.entries(others)) assert.deepEqual(other, { ids, reused: true }, name)
  if (frame) assert.equal(frame.ids.length, 4) // browsers may convert its colors
  assert.deepEqual([error.heed, error.code], [true, 'invalid-argument'])
  assert.match(error.message, /generate: the image cannot be read/)
})

/** A color as a model sees it: on white. */
const onWhite = (data, at) => 255 - data[at | 3] + Math.round((data[at] * data[at | 3]) / 255)

test('image files have the same pixels in Node', async () => {
  const { decodeImageFile } = await import(inRoot('dist/images.node.js'))
  const named = (files, most) => Object.entries(files).map(([name, file]) => [name, file.file ?? file, most])
  const all = [
    ...named(everyPng(), 2),
    ...(browserName === 'chromium' ? named(oddPngs(), 0) : []), // other browsers repair these files in their own ways
    ['every opacity', everyOpacity(), 2],
    ...named(oddJpegs(), 4),
    ...Array.from({ length: 8 }, (_, index) => [`orientation ${index + 1}`, oriented(jpegFile('restarts'), index + 1), 4]),
    ...jpegNames.map(name => [name, jpegFile(name), 4]),
  ]
  const drawn = await inPage(
    sites.open,
    async files => {
      const all = []
      for (const file of files) {
        try {
          const { width, height, data } = await heed.decodeImage(Uint8Array.from(atob(file), character => character.charCodeAt(0)))
          let text = ''
          for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192))
          all.push({ width, height, data: btoa(text) })
        } catch ({ message }) {
          all.push({ message })
        }
      }
      return all
    },
    all.map(([, file]) => file.toString('base64')),
  )
  for (const [index, [name, file, most]] of all.entries()) {
    const { message, width, height, data } = drawn[index]
    if (browserName !== 'chromium' && message !== undefined) continue // others refuse some of the odd ones
    assert.equal(message, undefined, name)
    const ours = await decodeImageFile(file)
    assert.deepEqual([ours.width, ours.height], [width, height], name)
    const theirs = Buffer.from(data, 'base64')
    const isFar = (_, at) =>
      browserName === 'chromium' ? theirs[at] !== ours.data[at] : Math.abs(onWhite(theirs, at) - onWhite(ours.data, at)) > most
    const far = ours.data.findIndex(isFar)
    assert.equal(far, -1, `${name}: ${far}: ${ours.data[far]} instead of ${theirs[far]}`)
  }
})

test('a model reads the same of transparent pixels as in Node', async () => {
  const half = pngFrom({
    width: 40,
    height: 30,
    data: Array.from({ length: 4800 }, (_, at) => (at % 4 === 3 ? ((at >> 2) % 40) * 6 : (at * 37) % 256)),
  })
  const logitsOf = async (heed, projector, file) => {
    const model = await heed.loadModel(undefined, { projector: new Blob([projector]), threads: 1 })
    const logits = await model.logits(['Once ', { image: file }])
    await model.dispose()
    return [...logits.subarray(-50)]
  }
  const here = await logitsOf(await import('heed'), projectorFile(128), half)
  const there = await inPage(
    sites.open,
    `async ({ projector, file }) => {
    const bytes = base64 => Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    return (${logitsOf})(heed, bytes(projector), bytes(file))
  }`,
    { projector, file: half.toString('base64') },
  )
  const near = browserName === 'chromium' ? 0 : 0.25 // of 9 between the least and the most: others multiply colors by their opacity and round
  for (const [index, value] of there.entries())
    assert.ok(Math.abs(value - here[index]) <= near, `${index}: ${value} instead of ${here[index]}`)
})
