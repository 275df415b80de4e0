// Images: classes, embeddings, and the attention of patches.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel, similarity } from 'heed'
import { goldenFile, goldenFloats, goldenPicture } from '../support/golden.mjs'
import { rejectsWith, withModel } from './support.mjs'

const picture = goldenPicture()
const gray = { width: 30, height: 20, data: new Uint8ClampedArray(30 * 20 * 4).fill(128) }
let vit
let clip

before(async () => {
  vit = await loadModel(goldenFile('vit'))
  clip = await loadModel(goldenFile('clip'))
})
after(async () => {
  await vit.dispose()
  await clip.dispose()
})

const assertNear = (values, expected) => {
  assert.equal(values.length, expected.length)
  values.forEach((value, index) => assert.ok(Math.abs(value - expected[index]) < 1e-4, `${value} at ${index}`))
}

test('info says which models see', async () => {
  assert.deepEqual([vit.info.sees, vit.info.readsImages], [true, false], 'the names of before')
  assert.deepEqual([vit.info.embedsImages, vit.info.embeds, vit.info.generates], [true, false, false])
  assert.deepEqual([clip.info.embedsImages, clip.info.embeds, clip.info.generates], [true, true, false])
  for (const { info, length } of [
    { info: vit.info, length: (await vit.embedImages([picture]))[0].length },
    { info: clip.info, length: (await clip.embed(['a fox']))[0].length },
  ])
    assert.equal(info.embeddingLength, length)
  assert.deepEqual([vit.info.pooling, clip.info.pooling, clip.info.reranks], [undefined, 'last', false])
  assert.deepEqual([vit.info.visionLayers, vit.info.visionHeads, vit.info.patches], [2, 4, 3])
})

test('gives the classes of an image, best first', async () => {
  const classes = await vit.classify(picture)
  const scores = [...goldenFloats('vit.classes.f32')]
  assert.equal(classes.length, 3)
  assert.deepEqual(
    classes.map(({ probability }) => probability),
    classes.map(({ probability }) => probability).sort((a, b) => b - a),
  )
  assert.ok(Math.abs(classes.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-6)
  const labels = ['fox', 'hen', 'owl']
  assert.equal(classes[0].label, labels[scores.indexOf(Math.max(...scores))])
  assert.deepEqual(await vit.classify(picture, { top: 1 }), classes.slice(0, 1))
  await rejectsWith('invalid-argument', /classify: top/, vit.classify(picture, { top: 0 }))
  await rejectsWith('unsupported', /clip.*classifier/, clip.classify(picture))
})

test('gives one vector per image, in order, that matches the reference', async () => {
  const vectors = await clip.embedImages([picture, gray])
  assert.deepEqual(
    vectors.map(vector => vector.length),
    [20, 20],
  )
  assertNear(vectors[0], goldenFloats('clip-vision.pooled.f32').subarray(-20))
  assert.deepEqual((await clip.embedImages([gray]))[0], vectors[1])
  assert.deepEqual(await clip.embedImages([]), [])
  const [normal] = await clip.embedImages([picture], { normalize: true })
  assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-6)
  const [all] = await vit.embedImages([picture], { pooling: 'none' })
  assertNear(all, goldenFloats('vit.f32'))
})

test('the vectors of texts and images are comparable', async () => {
  const [text] = await clip.embed(['a fox'])
  const [image] = await clip.embedImages([picture])
  assert.equal(text.length, image.length)
  const alike = similarity(text, image)
  assert.ok(alike > -1 && alike < 1)
})

test('gives the attention of each patch', async () => {
  const { patches, layers, heads, weights } = await vit.imageAttention(picture)
  assert.deepEqual([patches, layers, heads], [3, [0, 1], [0, 1, 2, 3]])
  for (const matrix of weights.flat()) {
    assert.equal(matrix.length, 10 * 10)
    for (let row = 0; row < 10; row++) {
      const total = matrix.subarray(row * 10, row * 10 + 10).reduce((sum, weight) => sum + weight, 0)
      assert.ok(Math.abs(total - 1) < 1e-5)
    }
  }
  const some = await vit.imageAttention(picture, { layers: [1], heads: [3, 0] })
  assert.deepEqual(some.weights, [[weights[1][3], weights[1][0]]])
  await rejectsWith('invalid-argument', /layers.*2/, vit.imageAttention(picture, { layers: [2] }))
  await rejectsWith('invalid-argument', /imageAttention: heads/, vit.imageAttention(picture, { heads: 'all' }))
})

test('rejects what is not an image', async () => {
  for (const [image, message] of [
    [{ ...picture, width: 11 }, /embedImages: an image of 11 x 12 pixels needs 528 bytes, not 576/],
    [{ width: 0, height: 0, data: new Uint8Array(0) }, /embedImages.*0 x 0/],
    [{ width: 0.5, height: 2, data: new Uint8Array(4) }, /embedImages.*0\.5/],
    [{ ...picture, data: Float32Array.from(picture.data) }, /embedImages.*Uint8Array/],
    [{ ...picture, data: [...picture.data] }, /embedImages.*Uint8Array/],
    [null, /embedImages.*image/],
    ['fox.png', /embedImages.*image/],
  ]) {
    await rejectsWith('invalid-argument', message, vit.embedImages([image]))
  }
  await rejectsWith('invalid-argument', /array of images/, vit.embedImages(picture))
  assert.equal((await vit.embedImages([picture])).length, 1)
})

test('text models reject images, and image models reject text', async () => {
  await withModel(undefined, {}, async model => {
    await rejectsWith('unsupported', /llama.*images/, model.embedImages([picture]))
    await rejectsWith('unsupported', /llama.*images/, model.classify(picture))
    await rejectsWith('unsupported', /llama.*images/, model.imageAttention(picture))
  })
  await rejectsWith('unsupported', /vit.*vocabulary/, vit.tokenize('a fox'))
  await rejectsWith('unsupported', /vit.*encoder/, vit.embed([[1]]))
  await rejectsWith('unsupported', /vit.*does not generate text/, vit.generate([1]))
})

test('can be aborted, without lasting effects', async () => {
  const controller = new AbortController()
  const many = Array(5000).fill(picture)
  setTimeout(() => controller.abort(), 20)
  await rejectsWith('aborted', /./, clip.embedImages(many, { signal: controller.signal }))
  await rejectsWith('aborted', /./, clip.imageAttention(picture, { signal: AbortSignal.abort() }))

  const expected = await clip.embedImages([picture])
  const long = Array(33).fill(5)
  await rejectsWith('context-overflow', /33.*32/, clip.attention(long, { of: 'encoder' }))
  assert.deepEqual(await clip.embedImages([picture]), expected, 'after attention of a text that failed')
})
