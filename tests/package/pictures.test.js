// Images in prompts: a text model with a projector, against the references of ../shared, and with a small projector of our own.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { loadModel, modelStore } from 'heed'
import { adapterFile } from '../support/adapters.mjs'
import { goldenFile } from '../support/golden.mjs'
import { startHub } from '../support/hub/index.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { defaultModelPath, needsShared, rejectsWith, sharedFile, withModel } from './support.mjs'

const visionFile = name => sharedFile('vision', name)
const readJson = name => JSON.parse(readFileSync(visionFile(name), 'utf8'))

/** The pixels of an image that the references have as plain red, green and blue. */
function imageNamed(name, { width, height }) {
  const rgb = readFileSync(visionFile(`images/${name}.rgb`))
  const data = new Uint8Array(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++) data.set([...rgb.subarray(pixel * 3, pixel * 3 + 3), 255], pixel * 4)
  return { width, height, data }
}

/** A reference's prompt, as parts. */
const partsOf = (prompt, images) =>
  prompt
    .split('<image>')
    .flatMap((text, index) => [...(index > 0 ? [{ image: images[index - 1] }] : []), ...(text ? [{ control: text }] : [])])

const ids = ({ tokens }) => tokens.map(({ id }) => id)
const greedy = { temperature: 0, stopAtEnd: false, maxTokens: 8 }

const { cases, images } = needsShared.skip ? { cases: {}, images: {} } : readJson('index.json')
const raw = Object.keys(cases).filter(name => cases[name].images.every(image => images[image].raw))

test('the references of images in prompts are there', needsShared, () => assert.ok(raw.length >= 20))

const readFloats = name => {
  const bytes = readFileSync(visionFile(name))
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
}

const rms = values => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
const distance = (values, expected) => rms(values.map((value, at) => value - expected[at]))
const deviation = values => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return rms(values.map(value => value - mean))
}

for (const name of raw) {
  const {
    model: text,
    mmproj,
    prompt,
    greedy: expected,
    greedy_gap: gaps,
    mmproj_type: type,
    n_embd_inp: rowWidth,
  } = readJson(`ref/${name}.json`)
  const given = () =>
    partsOf(
      prompt,
      cases[name].images.map(image => imageNamed(image, images[image])),
    )
  const withPair = body => withModel(visionFile(text), { projector: visionFile(mmproj), threads: 2 }, body)

  test(`${name}: gives the reference's tokens`, async t => {
    const sure = gaps.findIndex(gap => gap < (type === 'F32' ? 0.003 : 0.1))
    const count = sure < 0 ? expected.length : sure
    if (count === 0) return t.skip('the first token of the reference is a near tie')
    await withPair(async loaded => {
      const written = await loaded.generate(given(), { ...greedy, maxTokens: count })
      assert.deepEqual(ids(written).slice(0, count), expected.slice(0, count))
    })
  })

  if (type === 'F32')
    test(`${name}: gives the reference's rows and logits`, () =>
      withPair(async loaded => {
        const parts = given(),
          { length } = await loaded.tokenize(parts)
        const logits = await loaded.logits(parts, { positions: [-3, -2, -1].map(position => length + position) })
        const wanted = readFloats(`ref/${name}.logits.f32`)
        assert.equal(logits.length, wanted.length)
        assert.ok(distance(logits, wanted) < 1e-4 * deviation(wanted), `logits: ${distance(logits, wanted) / deviation(wanted)}`)
        const {
          tokens,
          states: [entering],
          images: found,
        } = await loaded.hidden(parts, { layers: [-1] })
        const { width } = loaded.info,
          rows = readFloats(`ref/${name}.embd.f32`)
        const places = tokens.flatMap(({ id }, position) => (id < 0 ? [position] : []))
        assert.equal(places.length * rowWidth, rows.length)
        assert.equal(found.length, cases[name].images.length)
        const state = places.flatMap(position => [...entering.subarray(position * width, (position + 1) * width)])
        const row = places.flatMap((_, index) => [...rows.subarray(index * rowWidth, index * rowWidth + width)]) // without the parts for later layers
        assert.ok(distance(state, row) < 2e-5 * rms(row), `rows: ${distance(state, row) / rms(row)}`)
      }))
}

let model, projector
before(async () => {
  projector = await withModel(undefined, {}, async ({ info: { width } }) => projectorFile(width))
  model = await loadModel(undefined, { projector, threads: 2 })
})
after(() => model.dispose())

const prompt = (...shades) => ['Once ', ...shades.flatMap(shade => [{ image: shaded(shade) }, ' upon']), ' a time']
const plain = { ...greedy, maxTokens: 6 }

test('info says which models read images, and memory has the projector', async () => {
  assert.equal(model.info.acceptsImages, true)
  await withModel(undefined, { threads: 2 }, async other => {
    assert.equal(other.info.acceptsImages, false)
    assert.equal(model.info.sees, other.info.sees)
    assert.deepEqual({ ...model.info, acceptsImages: false, readsImages: false }, other.info)
    assert.ok((await model.memory()).bytes > other.info.memoryBytes + 1000)
    const text = await other.generate('Once upon a time', plain)
    assert.deepEqual(ids(await model.generate('Once upon a time', plain)), ids(text))
  })
})

test('an image is the same whenever it comes, and another is another', async () => {
  const first = await model.generate(prompt(3), plain)
  const again = await model.generate(prompt(3), plain)
  assert.deepEqual(ids(again), ids(first))
  assert.equal(again.timings.promptTokens, first.timings.promptTokens)
  assert.equal(again.timings.reusedTokens, again.timings.promptTokens - 1)
  const other = await model.generate(prompt(5), plain)
  assert.ok(other.timings.reusedTokens < again.timings.reusedTokens)
  await withModel(undefined, { projector, threads: 1, prefixCache: 0 }, async fresh => {
    assert.deepEqual(ids(await fresh.generate(prompt(5), plain)), ids(other))
    assert.deepEqual(ids(await fresh.generate(prompt(3), plain)), ids(first))
  })
})

test('texts with images and without are generated together', async () => {
  const prompts = [
    prompt(3),
    'Once upon a time',
    prompt(5, 3),
    [{ image: shaded(7) }],
    ['The fox ', { ids: [5, 6] }, { image: shaded(3) }],
  ]
  const alone = []
  for (const one of prompts) alone.push(ids(await model.generate(one, plain)))
  const together = await Promise.all(prompts.map(one => model.generate(one, plain)))
  assert.deepEqual(together.map(ids), alone)
})

test('an image is read as it was at the call', async () => {
  const image = shaded(3)
  const generation = model.generate(['Once ', { image }, ' upon a time'], plain)
  image.data.fill(0)
  assert.deepEqual(ids(await generation), ids(await model.generate(prompt(3).slice(0, 2).concat(' upon a time'), plain)))
})

test('pixels may be of another window, whose arrays are of other classes', async () => {
  const { width, height, data } = shaded(3)
  const ofOther = { width, height, data: runInNewContext('bytes => Uint8ClampedArray.from(bytes)')([...data]) }
  const expected = ids(await model.generate(['Once ', { image: shaded(3) }, ' upon a time'], plain))
  assert.deepEqual(ids(await model.generate(['Once ', { image: ofOther }, ' upon a time'], plain)), expected)
  for (const data of [new Float32Array(16), new DataView(new ArrayBuffer(16)), new Int8Array(16)]) {
    await rejectsWith('invalid-argument', /in a Uint8Array/, async () =>
      model.generate([{ image: { width: 2, height: 2, data } }], plain),
    )
  }
})

test('the tokens of a prompt with images', async () => {
  const tokens = await model.tokenize(prompt(3, 5))
  assert.equal(tokens.length, (await model.generate(prompt(3, 5), { ...plain, maxTokens: 1 })).timings.promptTokens)
  assert.equal(tokens.filter(id => id === -1).length, 8)
  assert.equal((await model.tokenize([{ image: shaded(3) }], { addSpecial: false })).filter(id => id === -1).length, 4)
})

test('a session goes on after images', async () => {
  const session = await model.session()
  const { tokens } = await session.generate(prompt(3), plain)
  await session.append([{ image: shaded(5) }, ' there'])
  const fork = await session.fork()
  const continued = await session.generate(' was', plain)
  assert.ok(continued.timings.reusedTokens >= continued.timings.promptTokens - 3)
  assert.equal(session.tokens.filter(id => id < 0).length, 8)
  assert.deepEqual(ids(await fork.generate(' was', plain)), ids(continued))
  const whole = [...prompt(3), { ids: tokens.map(({ id }) => id) }, { image: shaded(5) }, ' there']
  const again = await model.session()
  await again.append(whole)
  assert.deepEqual(ids(await again.generate(' was', plain)), ids(continued))
  await rejectsWith('unsupported', /cannot be saved: it has images/, session.save())
  await session.truncate(1)
  await session.save()
  await Promise.all([session, fork, again].map(one => one.dispose()))
})

test('all options of generation except those that shift the context work with images', async () => {
  const length = (await model.generate(prompt(3), { ...plain, maxTokens: 1 })).timings.promptTokens
  const { tokens } = await model.generate(prompt(3), { ...plain, attention: { layers: [1], heads: [0] } })
  for (const [
    index,
    {
      attention: [[weights]],
    },
  ] of tokens.entries()) {
    assert.equal(weights.length, length + index)
    assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5)
  }
  assert.deepEqual(ids({ tokens }), ids(await model.generate(prompt(3), plain)))
  assert.match((await model.generate(prompt(3), { temperature: 0, choices: ['yes', 'no'] })).text, /^(yes|no)$/)
  await rejectsWith(
    'invalid-argument',
    /contextShift: cannot move a text with images/,
    withModel(undefined, { projector, contextLength: length + 8 }, small =>
      small.generate(prompt(3), { ...plain, maxTokens: 40, contextShift: { keep: 2 } }),
    ),
  )
})

/** The projector's four tokens of an image of 40 x 30, which is padded to a square: each a quarter of it. */
const quarters = position =>
  [
    [0, 0],
    [20, 0],
    [0, 15],
    [20, 15],
  ].map(([x, y], index) => ({ position: position + index, tile: 0, overview: true, x, y, width: 20, height: 15 }))

/** The positions of images' tokens, of which the projector makes four in a row. */
const placesOf = ids => ids.flatMap((id, index) => (id < 0 && !(ids[index - 1] < 0) ? [index] : []))

test('attention of texts with images includes the patches of their tokens', async () => {
  const { tokens, images, weights, keys } = await model.attention(prompt(3, 5), { layers: [1] })
  assert.equal(keys, tokens)
  const read = tokens.map(({ id }) => id)
  const [first, second] = placesOf(read)
  assert.deepEqual(
    images,
    [first, second].map(position => ({ width: 40, height: 30, patches: quarters(position) })),
  )
  assert.ok(tokens.every(({ id, text }) => id < 0 === (text === '')))
  const {
    timings,
    tokens: [written],
  } = await model.generate(prompt(3, 5), { ...plain, maxTokens: 1, attention: { layers: [1] } })
  assert.equal(timings.promptTokens, tokens.length)
  for (const [head, rows] of weights[0].entries()) {
    assert.deepEqual(rows.slice(-tokens.length), written.attention[0][head])
    for (let query = 0; query < tokens.length; query++) {
      const row = rows.subarray(query * tokens.length, (query + 1) * tokens.length)
      assert.ok(Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-5)
    }
  }
  assert.ok(!('images' in (await model.attention('Once upon a time', { layers: [0], heads: [0] }))))
})

const logSoftmax = logits => {
  const most = logits.reduce((a, b) => Math.max(a, b)),
    sum = logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0)
  return Float32Array.from(logits, logit => logit - most - Math.log(sum))
}

/** The results of calls about a text with images, and their consistency. */
async function checkReading(loaded, parts) {
  const { vocabulary, layers, heads } = loaded.info
  const { tokens, images: places } = await loaded.attention(parts, { layers: [0] })
  const positions = [...tokens.keys()],
    inImage = positions.filter(position => tokens[position].id < 0)
  const logits = await loaded.logits(parts, { positions: 'all' })
  assert.equal(logits.length, tokens.length * vocabulary)
  const logProbs = positions.map(position => logSoftmax(logits.subarray(position * vocabulary, (position + 1) * vocabulary)))
  const probes = [inImage[0], inImage.at(-2), inImage.at(-1), tokens.length - 1]
  const some = await loaded.logits(parts, { positions: probes })
  for (const [index, position] of probes.entries()) {
    assert.deepEqual(
      some.subarray(index * vocabulary, (index + 1) * vocabulary),
      logits.subarray(position * vocabulary, (position + 1) * vocabulary),
    )
  }
  assert.deepEqual(await loaded.logits(parts), logits.slice(-vocabulary))

  const score = await loaded.score(parts)
  const scored = positions.slice(1).filter(position => tokens[position].id >= 0)
  assert.deepEqual(
    score.tokens,
    scored.map(position => tokens[position]),
  )
  assert.equal(score.logProbs.length, scored.length)
  scored.forEach((position, index) =>
    assert.ok(Math.abs(score.logProbs[index] - logProbs[position - 1][tokens[position].id]) < 1e-4),
  )
  assert.ok(Math.abs(score.sum - score.logProbs.reduce((sum, one) => sum + one, 0)) < 1e-3)

  const hidden = await loaded.hidden(parts, { layers: [-1, layers - 1], positions: probes })
  assert.deepEqual([hidden.positions, hidden.images, hidden.tokens.length], [probes, places, tokens.length])
  const all = await loaded.hidden(parts, { layers: [layers - 1] })
  const { width } = loaded.info
  probes.forEach((position, index) =>
    assert.deepEqual(
      hidden.states[1].subarray(index * width, (index + 1) * width),
      all.states[0].subarray(position * width, (position + 1) * width),
    ),
  )

  const lens = await loaded.lens(parts, { layers: [0, layers - 1], positions: probes, top: 1 })
  assert.deepEqual([lens.positions, lens.images], [probes, places])
  probes.forEach((position, index) => {
    const [{ id, logprob }] = lens.layers[1].predictions[index].top
    assert.equal(logProbs[position][id], Math.max(...logProbs[position]))
    assert.ok(Math.abs(logprob - logProbs[position][id]) < 1e-4)
  })

  for (const position of probes) {
    const { weights, query, from, to } = await loaded.attentionParts(parts, { layer: 0, head: heads - 1, query: position })
    const row = (await loaded.attention(parts, { layers: [0], heads: [heads - 1] })).weights[0][0].subarray(
      position * tokens.length,
    )
    assert.deepEqual([query, weights], [position, row.slice(from, to)])
  }
  const { norms, images: seen } = await loaded.valueNorms(parts, { layers: [0], heads: [0] })
  assert.deepEqual([norms[0][0].length, seen], [tokens.length, places])
  for (const position of probes) {
    const { token, sum, logit, images, ...rest } = await loaded.attribute(parts, { position })
    const row = logits.subarray(position * vocabulary, (position + 1) * vocabulary)
    assert.deepEqual([rest.position, images, row[token.id]], [position, places, Math.max(...row)])
    assert.equal(Math.fround(logit), row[token.id])
    assert.ok(Math.abs(sum - logit) < 0.02 * rms(row), `${sum} instead of ${logit}`) // it is not rounded as activations are
  }
  return { tokens, logits, probes }
}

test('logits, scores, states, the lens and attention parts work for texts with images', async () => {
  const parts = prompt(3, 5)
  const { logits, probes } = await checkReading(model, parts)
  const named = await model.attribute(parts, { position: probes[1], token: 7 })
  assert.equal(Math.fround(named.logit), logits[probes[1] * model.info.vocabulary + 7])
  const [first] = await model.generate(parts, { ...plain, maxTokens: 1 }).then(({ tokens }) => tokens)
  assert.equal(first.id, (await model.attribute(parts)).token.id)
  const states = await Promise.all(
    [prompt(3), prompt(5)].map(async one => (await model.hidden(one, { layers: [1], positions: [-1] })).states[0]),
  )
  const { vector } = await model.direction([prompt(3)], [prompt(5)], { layer: 1 })
  assert.deepEqual(
    vector,
    states[0].map((value, at) => value - states[1][at]),
  )
  assert.ok(!('images' in (await model.hidden('Once', { layers: [0] }))) && !('images' in (await model.attribute('Once'))))
})

test(
  'texts that begin or end with the tokens of an image have scores, and those of such tokens alone have none',
  needsShared,
  async () => {
    const llava = readJson(`ref/${Object.keys(cases).find(one => one.startsWith('llava--'))}.json`) // has no tokens around images
    const image = { image: shaded(3) },
      asIs = { addSpecial: false }
    await withModel(visionFile(llava.model), { projector: visionFile(llava.mmproj), threads: 2 }, async loaded => {
      const text = [{ ids: [5, 6, 7] }]
      const [after, before, within] = await Promise.all(
        [
          [image, ...text],
          [...text, image],
          [...text, image, ...text],
        ].map(parts => loaded.score(parts, asIs)),
      )
      assert.deepEqual(
        [after, before, within].map(({ tokens }) => tokens.map(({ id }) => id)),
        [
          [5, 6, 7],
          [6, 7],
          [6, 7, 5, 6, 7],
        ],
      )
      assert.deepEqual(before.logProbs, (await loaded.score([5, 6, 7])).logProbs)
      assert.deepEqual(within.logProbs.subarray(0, 2), before.logProbs)
      assert.ok([after, within].every(({ logProbs, sum }) => logProbs.every(one => one < 0) && sum < 0))
      for (const alone of [[image], [{ ids: [5] }, image, image]]) {
        const { tokens, logProbs, sum, mean } = await loaded.score(alone, asIs)
        assert.deepEqual([tokens, logProbs.length, sum, mean], [[], 0, 0, NaN])
      }
      const [first, second] = await loaded.score([image], [[7], [8, 9]], asIs)
      assert.deepEqual([first, second].map(({ tokens }) => tokens.length).toSorted(), [1, 2])
    })
  },
)

test('continuations of a text with images are ranked as the ends of the whole texts', async () => {
  const start = ['Once ', { image: shaded(3) }, ' upon']
  const endings = [' a time', ' the sea there was a boat', [{ ids: [5, 6] }]]
  const ranked = await model.score(start, endings)
  assert.deepEqual(
    ranked.map(({ sum }) => sum),
    ranked.map(({ sum }) => sum).toSorted((a, b) => b - a),
  )
  for (const { index, tokens, logProbs } of ranked) {
    const whole = await model.score([...start, ...[endings[index]].flat()])
    assert.deepEqual(logProbs, whole.logProbs.slice(-tokens.length))
  }
  const bare = await model.score([{ image: shaded(3) }], [' a time', ' b'], { addSpecial: false })
  assert.ok(bare.every(({ tokens, sum }) => tokens.length > 0 && sum < 0))
  await rejectsWith('unsupported', /score: continuations: no images here/, model.score('Once', [start]))
})

test('adapters and edits affect texts with images', async () => {
  const parts = prompt(3),
    edits = [{ head: [0, 1], scale: 0 }]
  const [
    {
      states: [changed],
    },
    {
      states: [same],
    },
  ] = await Promise.all([{ edits }, {}].map(options => model.hidden(parts, { ...options, layers: [0] })))
  assert.notDeepEqual(changed, same)
  assert.notEqual((await model.score(parts, { edits })).sum, (await model.score(parts)).sum)
  await rejectsWith(
    'unsupported',
    /no images here/,
    model.hidden('a', { edits: [{ patch: parts, layer: 0, positions: [[0, 0]] }] }),
  )
})

test('a text with images that does not fit is refused before the images are read', async () => {
  const many = Array.from({ length: 4 }, () => ({ image: shaded(9) }))
  await withModel(undefined, { projector, contextLength: 24, threads: 1 }, async small => {
    for (const call of ['logits', 'hidden', 'lens', 'score', 'attribute', 'attention']) {
      await rejectsWith('context-overflow', /\d+ tokens do not fit in a context of 24/, small[call](many))
    }
    assert.equal((await small.generate([many[0]], { ...plain, maxTokens: 1 })).tokens.length, 1)
  })
})

test('a reading of a text with images is aborted', async () => {
  for (const call of ['logits', 'hidden', 'lens', 'score', 'attribute']) {
    const stop = new AbortController()
    const reading = model[call](prompt(21, 23), { signal: stop.signal })
    stop.abort()
    await rejectsWith('aborted', /./, reading)
  }
})

test('a text has the images of its prompt before its first token', async () => {
  const [position] = placesOf((await model.attention(prompt(3), { layers: [0], heads: [0] })).tokens.map(({ id }) => id))
  const generation = model.generate(prompt(3), plain)
  const image = { width: 40, height: 30, patches: quarters(position) }
  for await (const _ of generation) {
    assert.deepEqual(generation.images, [image])
    break
  }
  assert.deepEqual((await model.generate(prompt(3), plain)).images, [image])
  assert.ok(!('images' in (await model.generate('Once upon a time', plain))))
})

test('a session has the images of all of its text', async () => {
  const session = await model.session()
  const { images: one } = await session.generate(prompt(3), plain)
  await session.append(['and ', { image: shaded(5, 16, 16) }])
  const places = placesOf(session.tokens)
  assert.deepEqual(
    session.images.map(({ patches: [patch] }) => patch.position),
    places,
  )
  assert.deepEqual(session.images[0], one[0])
  assert.deepEqual(session.images[1].patches.at(-1), {
    position: places[1] + 3,
    tile: 0,
    overview: true,
    x: 8,
    y: 8,
    width: 8,
    height: 8,
  })
  const fork = await session.fork()
  const { images } = await fork.generate(' was', plain)
  assert.deepEqual(images, session.images)
  await fork.truncate(places[1])
  assert.deepEqual(fork.images, one)
  await fork.truncate(1)
  assert.deepEqual(fork.images, [])
  assert.equal(session.images.length, 2)
  await Promise.all([session, fork].map(one => one.dispose()))
})

test('how many tokens an image becomes is known before it is read', async () => {
  const counted = await model.imageTokens({ width: 40, height: 30 })
  assert.equal(await model.imageTokens(shaded(3)), counted)
  const ids = (await model.attention([{ image: shaded(3) }], { layers: [0], heads: [0], addSpecial: false })).tokens
  assert.equal(ids.length, counted)
  for (const [size, message] of [
    [{ width: 0, height: 3 }, /imageTokens: width: /],
    [{ width: 3 }, /imageTokens: height: /],
    [{ width: 3, height: 1.5 }, /height/],
    [{ width: 40000, height: 1 }, /sides must be from 1 to 32768/],
    ['fox.png', /imageTokens/],
    [null, /imageTokens/],
  ])
    await rejectsWith('invalid-argument', message, model.imageTokens(size))
  await rejectsWith(
    'invalid-argument',
    /has no option "detail"; its options are maxImageTokens/,
    model.imageTokens(shaded(3), { detail: 'low' }),
  )
  await withModel(undefined, { threads: 1 }, other =>
    rejectsWith('unsupported', /imageTokens: llama reads no images/, other.imageTokens(shaded(3))),
  )
})

test('a limit on the tokens of an image is met, or is an error with the image’s minimum', async () => {
  const counted = await model.imageTokens(shaded(3))
  const bounded = maxImageTokens => model.generate(['Once ', { image: shaded(3), maxImageTokens }, ' upon'], plain)
  assert.deepEqual(ids(await bounded(counted)), ids(await model.generate(['Once ', { image: shaded(3) }, ' upon'], plain)))
  const tooFew = new RegExp(
    `maxImageTokens: ${counted - 1} is too few: an image of 40 x 30 pixels becomes at least ${counted} tokens`,
  )
  await rejectsWith('invalid-argument', tooFew, bounded(counted - 1))
  await rejectsWith('invalid-argument', tooFew, model.imageTokens(shaded(3), { maxImageTokens: counted - 1 }))
  for (const bad of [0, -1, 1.5, '5', Infinity])
    await rejectsWith('invalid-argument', /an image: maxImageTokens/, async () => bounded(bad))
  await rejectsWith('invalid-argument', /an image has no option "detail"/, async () =>
    model.generate([{ image: shaded(3), detail: 'low' }]),
  )
})

for (const [name, least] of [
  ['idefics3', 2],
  ['internvl', 1],
  ['qwen3vl', 1],
]) {
  test(`${name}: fewer tokens are fewer or smaller tiles`, needsShared, async () => {
    const { model: text, mmproj } = readJson(`ref/${Object.keys(cases).find(one => one.startsWith(`${name}--`))}.json`)
    await withModel(visionFile(text), { projector: visionFile(mmproj), threads: 2 }, async loaded => {
      const size = { width: 700, height: 500 },
        image = shaded(7, 700, 500)
      const free = await loaded.imageTokens(size)
      let fewest = free
      for (const share of [0.7, 0.4]) {
        const maxImageTokens = Math.floor(free * share)
        const count = await loaded.imageTokens(size, { maxImageTokens })
        assert.ok(count <= maxImageTokens && count <= fewest)
        fewest = count
      }
      const {
        tokens,
        images: [{ patches }],
      } = await loaded.attention([{ image, maxImageTokens: fewest }], { layers: [0], heads: [0], addSpecial: false })
      assert.equal(tokens.length, fewest)
      assert.ok(patches.at(-1).tile + 1 >= least)
      assert.deepEqual(
        patches.map(({ position }) => position),
        tokens.flatMap(({ id }, index) => (id < 0 ? [index] : [])),
      )
      const area = patches.reduce((sum, { overview, width, height }) => sum + (overview ? width * height : 0), 0)
      assert.ok(Math.abs(area - 700 * 500) < 1)
    })
  })
}

test('rows of an image that see each other are read as a whole', needsShared, async () => {
  const { model: text, mmproj } = readJson(`ref/${Object.keys(cases).find(one => one.startsWith('gemma3--'))}.json`)
  await withModel(visionFile(text), { projector: visionFile(mmproj), threads: 2 }, async loaded => {
    const {
      tokens,
      weights: [[rows]],
    } = await loaded.attention(['a ', { image: shaded(3) }, ' b'], { layers: [0], heads: [0] })
    const first = tokens.findIndex(({ id }) => id < 0),
      last = tokens.findLastIndex(({ id }) => id < 0)
    for (let query = 0; query < tokens.length; query++) {
      const row = rows.subarray(query * tokens.length, (query + 1) * tokens.length)
      const inImage = query >= first && query <= last
      assert.equal(
        row.findLastIndex(weight => weight > 0),
        inImage ? last : query,
      )
    }
  })
})

test('rows that see each other, when there are more than fit in a pass', needsShared, async () => {
  const { model: text } = readJson(`ref/${Object.keys(cases).find(one => one.startsWith('gemma3--'))}.json`)
  await withModel(visionFile(text), { projector: projectorFile(32, 96, 2), threads: 2 }, async loaded => {
    const parts = ['a ', { image: shaded(3) }, ' b ', { image: shaded(5) }, ' c']
    const { tokens } = await checkReading(loaded, parts)
    assert.equal(tokens.filter(({ id }) => id < 0).length, 2 * 144)
    const start = [{ image: shaded(3) }]
    const [ranked] = await loaded.score(start, [' b'])
    assert.deepEqual(ranked.logProbs, (await loaded.score([...start, ' b'])).logProbs.slice(-ranked.tokens.length))
  })
})

test('gates are read of texts with images', needsShared, async () => {
  const { model: text, mmproj } = readJson(`ref/${Object.keys(cases).find(one => one.startsWith('qwen35--'))}.json`)
  await withModel(visionFile(text), { projector: visionFile(mmproj), threads: 2 }, async loaded => {
    const {
      tokens,
      decay: [[row]],
      images,
    } = await loaded.gates(['a ', { image: shaded(3) }, ' b'])
    assert.deepEqual([row.length, images.length], [tokens.length, 1])
    assert.ok(images[0].patches.every(({ position }) => tokens[position].id < 0))
  })
})

test('an abort while an image is read gives an empty result', async () => {
  const stop = new AbortController()
  const generation = model.generate(prompt(9, 11, 13), { ...plain, signal: stop.signal })
  stop.abort()
  const { finishReason, text } = await generation
  assert.deepEqual([finishReason, text], ['abort', ''])
  await model.generate(prompt(9), plain)
})

test('invalid images, and calls that take none, are errors, and the model stays usable', async () => {
  const expected = ids(await model.generate(prompt(3), plain))
  const data = new Uint8Array(16)
  const refused = [
    { width: 0, height: 4, data: new Uint8Array(0) },
    { width: 2, height: 3, data },
    { width: 2, height: 2, data: [...data] },
    { width: 2 ** 40, height: 2, data },
    { width: 2 },
    null,
    'fox.png',
    7,
    [],
    new Blob(['fox']),
    { width: NaN, height: NaN, data },
  ]
  for (const image of refused) {
    await rejectsWith('invalid-argument', /generate/, async () => model.generate(['a ', { image }], plain))
  }
  await rejectsWith('invalid-argument', /sides must be from 1 to 32768/, async () =>
    model.generate([{ image: shaded(1, 40000, 1) }], plain),
  )
  await rejectsWith('invalid-argument', /expected a string/, async () => model.generate([{ image: shaded(1) }, 3], plain))
  const withImage = prompt(3)
  for (const call of [
    () => model.embed([withImage]),
    () => model.score('a', [withImage]),
    () => model.generate('a', { edits: [{ patch: withImage, layer: 0, positions: [[0, 0]] }] }),
    () => model.generate('a', { edits: [{ head: [0, 0], mean: withImage }] }),
  ])
    await rejectsWith('unsupported', /no images here; they can be in texts that a decoder reads or continues/, async () => call())
  const session = await model.session()
  await rejectsWith('context-overflow', /but the context has room for/, async () =>
    session.append(Array.from({ length: model.info.contextLength }, () => ({ image: shaded(3) }))),
  )
  await session.dispose()
  assert.deepEqual(ids(await model.generate(prompt(3), plain)), expected)
})

test('a session that is disposed of while an image is decoded ends at once', async () => {
  for (const begin of [
    (session, image) => session.generate([{ image }], { ...plain, maxTokens: Infinity }).result,
    (session, image) => session.append([{ image }]),
  ]) {
    const session = await model.session()
    const image = new Blob([])
    const decoding = new Promise(resolve => {
      image.arrayBuffer = () => {
        resolve()
        return new Promise(() => {}) // it never ends
      }
    })
    const gone = rejectsWith('disposed', /session/, begin(session, image))
    await decoding
    await session.dispose()
    await gone
  }
})

test('a generation that is aborted while an image is decoded leaves its session to the next call', async () => {
  const session = await model.session()
  const image = new Blob([])
  image.arrayBuffer = () => new Promise(() => {})
  const controller = new AbortController()
  const generation = session.generate([{ image }], { ...plain, signal: controller.signal })
  const next = session.generate('Once', plain)
  controller.abort()
  assert.equal((await generation).finishReason, 'abort')
  assert.equal((await next).tokens.length, plain.maxTokens)
  await session.dispose()
})

test('a generation of a model that is aborted while an image is decoded ends at once', async () => {
  const image = new Blob([])
  image.arrayBuffer = () => new Promise(() => {})
  const controller = new AbortController()
  const generation = model.generate([{ image }], { ...plain, signal: controller.signal })
  controller.abort()
  assert.equal((await generation).finishReason, 'abort')
})

test('a model without a projector reads no images, and goes on', async () => {
  await withModel(undefined, { threads: 1 }, async other => {
    await rejectsWith('unsupported', /generate: llama reads no images: it was loaded without a projector/, async () =>
      other.generate(prompt(3)),
    )
    const session = await other.session()
    await rejectsWith('unsupported', /append: llama reads no images/, session.append(prompt(3)))
    await other.generate('Once', { maxTokens: 1 })
  })
})

test('a projector has to fit its model', async () => {
  const cut = projector.subarray(0, projector.length - 100)
  const load = (source, text) => loadModel(text, { projector: source, threads: 1 })
  await rejectsWith(
    'invalid-file',
    /projector: .*projection_dim: makes rows of 20 numbers, but the model reads \d+/,
    load(projectorFile(20)),
  )
  await rejectsWith('unsupported', /projector: .*'llama' has no projector; expected: clip/, load(defaultModelPath))
  await rejectsWith('invalid-file', /projector: .*\d+ of \d+ bytes|projector: file: /, load(cut))
  await rejectsWith('invalid-file', /projector: .*\d+ of \d+ bytes/, load(new Blob([cut])))
  await rejectsWith('invalid-file', /projector: /, load(new Uint8Array(200)))
  await rejectsWith('invalid-file', /projector: /, load(projector.subarray(0, 500)))
  await rejectsWith('unsupported', /bert: has no decoder to read images/, load(projector, goldenFile('bert')))
  await rejectsWith('unsupported', /t5: has an encoder, which reads no images/, load(projector, goldenFile('t5')))
  await rejectsWith('invalid-argument', /loadModel: projector: source: /, load(7))
  await rejectsWith('io', /projector/, load('no-such-file.gguf'))
  await rejectsWith('unsupported', /clip/, load(undefined, new Uint8Array(projector)))
  const generation = await model.generate(prompt(3), plain)
  assert.equal(generation.tokens.length, plain.maxTokens)
})

test('a projector comes from any source, with progress, and beside adapters', async () => {
  const expected = ids(await model.generate(prompt(3), plain))
  const adapters = { small: adapterFile(model.info) }
  for (const source of [new Uint8Array(projector), new Blob([projector]), new Response(projector)]) {
    const seen = []
    await withModel(
      undefined,
      { projector: source, adapters, threads: 1, onProgress: progress => seen.push(progress) },
      async loaded => {
        assert.deepEqual(ids(await loaded.generate(prompt(3), plain)), expected)
        assert.notDeepEqual(ids(await loaded.generate(prompt(3), { ...plain, adapters: { small: 20 } })), expected)
      },
    )
    assert.deepEqual([seen[0].file, seen.at(-1).file, seen.at(-1).loaded], [undefined, 'projector', projector.length])
  }
})

test('a model that is stored reads images with a projector that is a file', async () => {
  const hub = await startHub({ 'heed/stories': { 'stories-Q8_0.gguf': readFileSync(defaultModelPath) } })
  const folder = mkdtempSync(join(tmpdir(), 'heed-pair-'))
  const { HEED_MODELS: before } = process.env
  process.env.HEED_MODELS = folder
  try {
    const options = { hub: { endpoint: hub.endpoint }, cache: true, threads: 1 }
    await withModel('hf:heed/stories:Q8_0', { ...options, projector: new Blob([projector]) }, loaded =>
      assert.ok(loaded.info.acceptsImages),
    )
    const { length } = hub.requests
    await rejectsWith(
      'invalid-argument',
      /loadModel: projector: source: expected/,
      loadModel('hf:heed/stories:Q8_0', { ...options, projector: 42 }),
    )
    assert.equal(hub.requests.length, length)
    assert.equal(await modelStore.has('hf:heed/stories:Q8_0', { hub: options.hub }), true)
  } finally {
    if (before === undefined) delete process.env.HEED_MODELS
    else process.env.HEED_MODELS = before
    await hub.close()
    rmSync(folder, { recursive: true })
  }
})

test('a projector that does not fit into the memory is refused', async () => {
  const large = projectorFile(model.info.width, 1024) // 4 MB of positions
  const load = memoryLimit => loadModel(undefined, { threads: 1, contextLength: 32, parallel: 1, memoryLimit, projector: large })
  await rejectsWith('out-of-memory', /projector: .*needs 5 MB .*the limit is \d MB/, load(6_000_000))
  await (await load(12_000_000)).dispose()
})
