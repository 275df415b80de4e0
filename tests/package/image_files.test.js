// Image files in Node, which has no decoder: PNG and JPEG files of every kind, and damaged ones.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import { decodeImage, HeedError, loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import {
  chunk,
  everyOpacity,
  everyPng,
  header,
  jpegFile,
  jpegNames,
  jpegOf,
  jpegPixels,
  oddJpegs,
  oddPngs,
  oriented,
  pngFile,
  pngFrom,
  pngOf,
} from '../support/image_files.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { needsShared, random, rejectsWith, sharedFile } from './support.mjs'

const { decodeImageFile } = await import(inRoot('dist/images.node.js'))

/** The color that remains after a canvas has multiplied it by its opacity. */
const product = (data, at) => Math.round((data[at] * data[at | 3]) / 255)

/** Checks the pixels of a file. `most`: the largest difference allowed. */
async function decodesTo(file, { width, height, data }, most = 0) {
  const decoded = await decodeImageFile(file)
  assert.deepEqual([decoded.width, decoded.height, decoded.data.length], [width, height, data.length])
  const far = data.findIndex((value, at) =>
    at % 4 === 3 ? value !== decoded.data[at] : Math.abs(product(data, at) - product(decoded.data, at)) > most,
  )
  assert.equal(far, -1, `${far}: ${decoded.data[far]} instead of ${data[far]}`)
}

const refuses = (code, message, file) =>
  assert.rejects(decodeImageFile(file), error => {
    assert.ok(error instanceof HeedError, error.stack)
    assert.equal(error.code, code, error.message)
    assert.match(error.message, message)
    return true
  })

test('PNG files of every color, depth and order', async () => {
  const all = Object.entries(everyPng())
  assert.equal(all.length, 30)
  for (const [name, { file, pixels }] of all) {
    try {
      await decodesTo(file, pixels)
    } catch (error) {
      throw new Error(`${name}: ${error.message}`, { cause: error })
    }
  }
  for (const [width, height] of [
    [1, 1],
    [1, 9],
    [9, 1],
    [3, 2],
    [8, 8],
  ]) {
    for (const { file, pixels } of Object.values(everyPng(width, height))) await decodesTo(file, pixels)
  }
})

test('PNG files as the references have them', needsShared, async () => {
  for (const [name, width, height] of [
    ['checker-64x64', 64, 64],
    ['flat-1x1', 1, 1],
    ['gradient-96x64', 96, 64],
    ['noise-17x23', 17, 23],
  ]) {
    const rgb = readFileSync(sharedFile('vision', 'images', `${name}.rgb`))
    const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => (at % 4 === 3 ? 255 : rgb[(at >> 2) * 3 + (at % 4)]))
    await decodesTo(readFileSync(sharedFile('vision', 'images', `${name}.png`)), { width, height, data })
  }
})

test('transparent colors of PNG files', async () => {
  const alphaOf = async options => {
    const { data } = await decodeImageFile(pngFile({ width: 4, height: 1, ...options }))
    return Array.from({ length: 4 }, (_, pixel) => data[pixel * 4 + 3])
  }
  const palette = chunk('PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  assert.deepEqual(
    await alphaOf({ depth: 2, color: 3, sample: x => x, extra: [palette, chunk('tRNS', [0, 128])] }),
    [0, 128, 255, 255],
  )
  assert.deepEqual(await alphaOf({ depth: 2, color: 0, sample: x => x, extra: [chunk('tRNS', [0, 2])] }), [255, 255, 0, 255])
  assert.deepEqual(await alphaOf({ depth: 16, color: 0, sample: x => 512 + x, extra: [chunk('tRNS', [2, 1])] }), [255, 0, 255, 255])
  assert.deepEqual(
    await alphaOf({ depth: 8, color: 2, sample: (x, _, part) => x + part, extra: [chunk('tRNS', [0, 3, 0, 4, 0, 5])] }),
    [255, 255, 255, 0],
  )
})

test('JPEG files as libjpeg reads them', async () => {
  for (const name of jpegNames) await decodesTo(jpegFile(name), jpegPixels(name))
  await decodesTo(Buffer.concat([jpegFile('baseline'), Buffer.from('more')]), jpegPixels('baseline'))
})

test('JPEG files are turned as the camera was', async () => {
  const { width: w, height: h, data } = jpegPixels('restarts')
  /** Where the pixel at x, y of each orientation comes from. */
  const from = {
    1: (x, y) => [x, y],
    2: (x, y) => [w - 1 - x, y],
    3: (x, y) => [w - 1 - x, h - 1 - y],
    4: (x, y) => [x, h - 1 - y],
    5: (x, y) => [y, x],
    6: (x, y) => [y, h - 1 - x],
    7: (x, y) => [w - 1 - y, h - 1 - x],
    8: (x, y) => [w - 1 - y, x],
  }
  for (const [orientation, place] of Object.entries(from)) {
    const [width, height] = orientation < 5 ? [w, h] : [h, w]
    const pixels = Array.from({ length: width * height }, (_, at) => {
      const [x, y] = place(at % width, Math.floor(at / width))
      return [...data.subarray((y * w + x) * 4, (y * w + x) * 4 + 4)]
    })
    for (const little of [true, false]) {
      await decodesTo(oriented(jpegFile('restarts'), Number(orientation), little), { width, height, data: pixels.flat() })
    }
  }
  for (const odd of [0, 9, 255]) await decodesTo(oriented(jpegFile('restarts'), odd), jpegPixels('restarts'))
})

const small = { width: 2, height: 2, depth: 8, color: 0, sample: () => 7 }
const pixels = count => chunk('IDAT', deflateSync(Buffer.alloc(count)))

test('PNG and JPEG files as others write them', async () => {
  for (const [name, file] of Object.entries({ ...oddPngs(), ...oddJpegs() })) {
    const { width, height, data } = await decodeImageFile(file).catch(cause => {
      throw new Error(`${name}: ${cause.message}`, { cause })
    })
    assert.equal(data.length, width * height * 4, name)
  }
  const { 'an orientation': turned, 'an orientation after the image': ignored } = oddPngs()
  for (const [file, sides] of [
    [turned, [4, 3]],
    [ignored, [3, 4]],
  ]) {
    const { width, height } = await decodeImageFile(file)
    assert.deepEqual([width, height], sides)
  }
  const levels = [200, 100, 50, 128]
  const components = levels.map((_, index) => [index, 1, 1])
  const cmyk = await decodeImageFile(jpegOf({ width: 8, height: 8, components, level: color => levels[color] }))
  assert.deepEqual([...cmyk.data.subarray(0, 4)], [...levels.slice(0, 3).map(level => Math.floor((level * 128) / 255)), 255])
})

test('colors below transparent pixels are lost', async () => {
  const { data } = await decodeImageFile(everyOpacity())
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 0) assert.deepEqual([...data.subarray(at, at + 3)], [0, 0, 0])
})

test('each fault of a PNG file is named', async () => {
  const sound = pngFile(small)
  const ofSize = (width, height) => pngOf(header({ ...small, width, height }), pixels(6), chunk('IEND'))
  const wrong = [
    [/it has 0 x 2 pixels; sides must be from 1 to 32768/, ofSize(0, 2)],
    [/it has 2 x 0 pixels/, ofSize(2, 0)],
    [/it has 100000 x 2 pixels/, ofSize(100_000, 2)],
    [/it has 4294967295 x 4294967295 pixels/, ofSize(2 ** 32 - 1, 2 ** 32 - 1)],
    [/it has 30000 x 30000 pixels, more than 134217728/, ofSize(30_000, 30_000)],
    [/PNG file: it is truncated/, ofSize(8000, 8000)],
    [/it is truncated/, ofSize(2, 3)],
    [/truncated/, pngOf(header(small), chunk('IEND'))],
    [/no header/, pngOf(pixels(6), chunk('IEND'))],
    [/wrong length/, pngOf(chunk('IHDR', [1]), chunk('IEND'))],
    [/no color type 1 of 8 bits/, pngOf(header({ ...small, color: 1 }), chunk('IEND'))],
    [/no color type 2 of 4 bits/, pngOf(header({ ...small, color: 2, depth: 4 }), chunk('IEND'))],
    [/unknown method/, pngOf(header({ ...small, interlaced: 2 }), chunk('IEND'))],
    [/no palette/, pngOf(header({ ...small, color: 3 }), pixels(6), chunk('IEND'))],
    [/no palette/, pngFile({ ...small, color: 3, extra: [chunk('PLTE', [1, 2])] })],
    [/no palette/, pngOf(header({ ...small, color: 3 }), pixels(6), chunk('PLTE', [1, 2, 3]), chunk('IEND'))],
    [/no filter 9/, pngOf(header(small), chunk('IDAT', deflateSync(Buffer.from([9, 1, 1, 0, 1, 1]))), chunk('IEND'))],
    [/the chunk IHDR has a wrong checksum/, Buffer.from(sound).fill(1, 20, 21)],
    [/PNG file/, pngOf(header(small), chunk('IDAT', [1, 2, 3, 4, 5, 6, 7, 8]), chunk('IEND'))],
    ...Array.from({ length: sound.length - 8 - 4 }, (_, cut) => [/it is truncated/, sound.subarray(0, 8 + cut)]),
  ]
  for (const [message, file] of wrong) await refuses('invalid-argument', message, file)
  await refuses('unsupported', /PNG file with a chunk ABCD/, pngOf(header(small), chunk('ABCD'), pixels(6), chunk('IEND')))
})

test('each fault of a JPEG file is named', async () => {
  const sound = jpegFile('baseline')
  const frame = sound.indexOf(Buffer.from([0xff, 0xc0]))
  const changed = (at, ...bytes) =>
    Buffer.concat([sound.subarray(0, frame + at), Buffer.from(bytes), sound.subarray(frame + at + bytes.length)])
  await refuses('invalid-argument', /it has 37 x 0 pixels/, changed(5, 0, 0))
  await refuses('invalid-argument', /it has 65535 x 27 pixels/, changed(7, 255, 255))
  await refuses('invalid-argument', /it has 32768 x 32768 pixels, more than/, changed(5, 128, 0, 128, 0))
  await refuses('invalid-argument', /truncated/, changed(5, 31, 64, 31, 64))
  await refuses('unsupported', /JPEG file of 12 bits/, changed(4, 12))
  await refuses('unsupported', /of 2 colors/, changed(9, 2))
  await refuses('invalid-argument', /sampled/, changed(11, 0))
  await refuses('unsupported', /lossless or arithmetic/, jpegFile('arithmetic'))
  const scan = sound.subarray(sound.indexOf(Buffer.from([0xff, 0xda])), -2)
  await refuses(
    'invalid-argument',
    /more than 100 scans/,
    Buffer.concat([sound.subarray(0, -2), ...Array(100).fill(scan), sound.subarray(-2)]),
  )
  for (const file of jpegNames.map(jpegFile)) {
    for (let length = 3; length < file.length; length++) await refuses('invalid-argument', /truncated/, file.subarray(0, length))
  }
})

test('damaged files are errors or images, and nothing else', async () => {
  const below = random(5)
  const files = [
    ...jpegNames.map(jpegFile),
    oriented(jpegFile('gray'), 6),
    ...Object.values(everyPng(5, 5)).map(({ file }) => file),
  ]
  for (const file of files) {
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(file)
      for (let count = 1 + below(4); count > 0; count--) damaged[2 + below(file.length - 2)] = below(256)
      try {
        const { width, height, data } = await decodeImageFile(damaged)
        assert.equal(data.length, width * height * 4)
      } catch (error) {
        assert.ok(error instanceof HeedError, error.stack)
      }
    }
  }
})

test('other files are named', async () => {
  const beginnings = {
    GIF: 'GIF89a',
    WebP: 'RIFF\0\n\0\0WEBPVP8 ',
    'AVIF or HEIC': '\0\0\0\x1cftypavif',
    BMP: 'BM123',
    SVG: '<svg>',
  }
  for (const [name, beginning] of Object.entries(beginnings)) {
    await refuses('unsupported', new RegExp(`in the format ${name}; here, PNG and JPEG files can be read`), Buffer.from(beginning))
  }
  for (const text of ['', 'fox', '\xff\xd8']) await refuses('invalid-argument', /no image file/, Buffer.from(text, 'latin1'))
})

let model
before(async () => {
  model = await loadModel(undefined, { projector: projectorFile(128), threads: 1 }) // of the bundled model's width
})
after(() => model.dispose())

const options = { temperature: 0, maxTokens: 3 }
const ids = ({ tokens }) => tokens.map(({ id }) => id)

test('prompts and conversations take files, as blobs and as bytes, as they are at the call', async () => {
  const image = shaded(3)
  const file = pngFrom(image)
  const expected = ids(await model.generate(['Once ', { image }, ' upon'], { ...options, stopAtEnd: false }))
  for (const one of [new Blob([file]), new File([file], 'fox.png'), file, new Uint8Array(file), new Uint8ClampedArray(file)]) {
    const { tokens, timings } = await model.generate(['Once ', { image: one }, ' upon'], { ...options, stopAtEnd: false })
    assert.deepEqual(ids({ tokens }), expected)
    assert.equal(timings.reusedTokens, timings.promptTokens - 1)
  }
  const bytes = new Uint8Array(file)
  const generation = model.generate(['Once ', { image: bytes }, ' upon'], { ...options, stopAtEnd: false })
  bytes.fill(0)
  assert.deepEqual(ids(await generation), expected)
  const ask = image =>
    model.chat(
      [
        {
          role: 'user',
          content: [
            { type: 'image', image },
            { type: 'text', text: '?' },
          ],
        },
      ],
      options,
    )
  assert.deepEqual((await ask(new Blob([file]))).steps[0].prompt, (await ask(image)).steps[0].prompt)
})

test('an image that is used often is decoded once', async () => {
  const { width, height, data } = shaded(3)
  const pixels = { width, height, data: new Uint8Array(data) }
  for (const image of [pngFrom(pixels), new Blob([pngFrom(pixels)]), shaded(3)]) assert.deepEqual(await decodeImage(image), pixels)
  const decoded = await decodeImage(pngFrom(pixels))
  assert.deepEqual(
    ids(await model.generate([{ image: decoded }], options)),
    ids(await model.generate([{ image: pixels }], options)),
  )
  await rejectsWith(
    'invalid-argument',
    /^decodeImage: the image cannot be read: it is no image file/,
    decodeImage(Buffer.from('fox')),
  )
  await rejectsWith('invalid-argument', /^decodeImage: expected an image, got "fox.png"/, decodeImage('fox.png'))
})

test('the error of a conversation says which image it is', async () => {
  const content = [shaded(3), Buffer.from('GIF89a')].map(image => ({ type: 'image', image }))
  const asked = model.chat([{ role: 'user', content }], options)
  await rejectsWith('unsupported', /^chat: the image cannot be read: it is in the format GIF/, asked.result)
  await assert.rejects(model.chat([{ role: 'user', content }], options).result, { index: 1 })
  await rejectsWith(
    'invalid-argument',
    /generate: the image cannot be read: it is not a sound PNG file: it is truncated/,
    async () => model.generate([{ image: pngFrom(shaded(3)).subarray(0, 100) }], options),
  )
})

const opacities = (colors, opacity) =>
  pngFrom({
    width: 32,
    height: 32,
    data: Array.from({ length: 32 * 32 * 4 }, (_, at) => (at % 4 === 3 ? opacity(at >> 2) : colors(at >> 2, at % 4))),
  })

test('a model sees transparent pixels on white, whatever hides under them', async () => {
  const border = pixel => (pixel % 32 < 8 ? 0 : 255)
  const inside = (pixel, part) => (pixel % 32 < 8 ? undefined : (pixel * 7 + part * 50) % 256)
  const files = [
    opacities((pixel, part) => inside(pixel, part) ?? (pixel + part * 90) % 256, border),
    opacities((pixel, part) => inside(pixel, part) ?? 0, border),
    opacities(
      (pixel, part) => inside(pixel, part) ?? 255,
      () => 255,
    ),
  ]
  const logits = async image => Buffer.from((await model.logits([{ image }])).buffer)
  const expected = await logits(files[2])
  for (const file of files) assert.ok((await logits(file)).equals(expected))
  const hidden = {
    width: 32,
    height: 32,
    data: Uint8Array.from({ length: 32 * 32 * 4 }, (_, at) => (at % 4 === 3 ? 0 : (at * 31) % 256)),
  }
  const white = { width: 32, height: 32, data: new Uint8Array(32 * 32 * 4).fill(255) }
  assert.ok((await logits(hidden)).equals(await logits(white)))
})

const large = () => pngOf(header({ ...small, width: 4000, height: 4000 }), pixels(4000 * 4001), chunk('IEND'))

test('a file is decoded beside the thread of its caller, and an abort ends that', async () => {
  const aborting = new AbortController()
  const { signal } = aborting
  const running = decodeImage(large(), { signal })
  const waiting = Array.from({ length: 20 }, () => decodeImage(large(), { signal }))
  const other = decodeImage(pngFrom(shaded(3)))
  setImmediate(() => aborting.abort())
  for (const one of [running, ...waiting]) await assert.rejects(one, { name: 'AbortError', code: 'aborted' })
  assert.equal((await other).width, shaded(3).width)
  await assert.rejects(decodeImage(large(), { signal }), { name: 'AbortError' })
  assert.equal((await decodeImage(large())).width, 4000)
  await rejectsWith('invalid-argument', /decodeImage has no option "sgnal"/, decodeImage(large(), { sgnal: signal }))
})

test('an abort ends every call that decodes', async () => {
  const aborted = async (call, expected) => {
    const aborting = new AbortController()
    const calling = call([{ image: large() }], { signal: aborting.signal })
    setImmediate(() => aborting.abort())
    return expected ? assert.equal((await calling).finishReason, expected) : assert.rejects(calling, { name: 'AbortError' })
  }
  await aborted((text, on) => model.generate(text, on).result, 'abort')
  await aborted((text, on) => model.logits(text, on))
  await aborted((text, on) => model.hidden(text, on))
  await aborted((text, on) => model.score(text, on))
  await aborted((text, on) => model.attention(text, on))
  await aborted(([{ image }], on) => model.chat([{ role: 'user', content: [{ type: 'image', image }] }], on).result, 'abort')
  assert.equal((await model.generate('Once', options)).tokens.length, 3)
})

test('the worker of files does not keep a process', async () => {
  const script = `import { decodeImage } from ${JSON.stringify(import.meta.resolve('heed'))}
    console.log((await decodeImage(Buffer.from('${pngFrom(shaded(3)).toString('base64')}', 'base64'))).width)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  assert.equal(stdout, `${shaded(3).width}\n`)
})
