// Images of every kind that a page has, in prompts: the same pixels are the same tokens.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { useBrowser } from './support.mjs'

const { sites, inPage } = useBrowser()

const pixels = ({ width, height, data }) => ({ width, height, data: [...data] })
const projector = projectorFile(128).toString('base64')  // for the bundled model

test('a prompt takes image files, canvases, bitmaps, elements and frames of videos', async () => {
  const written = await inPage(sites.isolated, async ({ projector, image }) => {
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
      pixels: { width, height, data: Uint8Array.from(image.data) }, imageData: data, offscreen, canvas, element,
      blob: await offscreen.convertToBlob({ type: 'image/png' }), bitmap: await createImageBitmap(data),
      ...globalThis.VideoFrame && { frame: new VideoFrame(canvas, { timestamp: 0 }) },
    }
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
  }, { projector, image: pixels(shaded(3)) })
  const { pixels: { ids }, error, frame, ...others } = written
  assert.equal(ids.length, 4)
  assert.ok(Object.keys(others).length >= 6)
  for (const [name, other] of Object.entries(others)) assert.deepEqual(other, { ids, reused: true }, name)
  if (frame) assert.equal(frame.ids.length, 4)  // browsers may convert its colors
  assert.deepEqual([error.heed, error.code], [true, 'invalid-argument'])
  assert.match(error.message, /generate: the image cannot be read/)
})
