// Our own small models: each does its task on inputs that it was not trained on, and its attention shows what
// models/tiny/README.md says.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { similarity } from 'heed'
import { withModel } from './support.mjs'
import { drawn, inTiny } from './tiny.mjs'

const catalogue = JSON.parse(readFileSync(inTiny('catalogue.json'), 'utf8'))
const tiny = (name, body) => withModel(inTiny(`${name}.gguf`), {}, body)

const indexOfMost = values => values.indexOf(Math.max(...values))
const sum = values => values.reduce((total, value) => total + value, 0)

test('the catalogue describes the models', async () => {
  for (const { name, file, projector, kind, bytes, note, example } of catalogue) {
    assert.equal(file, kind === 'hears' ? `${name}.bin` : `${name}.gguf`)
    assert.equal(sum([file, projector].map(one => (one ? statSync(inTiny(one)).size : 0))), bytes)
    assert.ok(note.endsWith('.'))
    await withModel(inTiny(file), projector ? { projector: inTiny(projector) } : {}, async ({ info }) => {
      assert.equal(info.name, kind === 'hears' ? '' : name) // whisper.cpp's files have no names
      assert.equal(
        kind,
        info.transcribes
          ? 'hears'
          : info.embedsImages
            ? 'sees'
            : info.acceptsImages
              ? 'answers about pictures'
              : info.generates
                ? 'answers'
                : 'reads',
      )
      for (const picture of example.pictures ?? [example.picture]) if (picture) assert.ok(drawn(picture).width >= 48)
      assert.equal(example.picture !== undefined, info.embedsImages)
      assert.equal(example.pictures !== undefined, info.acceptsImages)
      assert.equal(example.sound !== undefined, info.transcribes)
      assert.equal(example.texts !== undefined, info.embeds || info.acceptsImages)
    })
  }
  const total = sum(catalogue.map(({ bytes }) => bytes))
  assert.ok(total <= 1_600_000 + 3_100_000, `${total} bytes`) // the last is heed-words
})

// English, French, and for each French word the positions of the English words that it translates.
const translations = [
  ['The king sees my good red house.', 'Le roi voit ma bonne maison rouge.', [[0], [1], [2], [3], [4], [6], [5], [7]]],
  [
    'The new red bear looks for two coats.',
    'Le nouvel ours rouge cherche deux manteaux.',
    [[0], [1], [3], [2], [4, 5], [6], [7], [8]],
  ],
  ['The new cow is not strong.', "La nouvelle vache n'est pas forte.", [[0], [1], [2], [4], [3], [4], [5], [6]]],
  [
    'She often loves these big strong boats behind the big strong keys.',
    'Elle aime souvent ces grands bateaux forts derrière les grandes clés fortes.',
    [[0], [2], [1], [3], [4], [6], [5], [7], [8], [9], [11], [10], [12]],
  ],
  [
    'the small tired child loves her young black mouse',
    'le petit enfant fatigué aime sa jeune souris noire',
    [[0], [1], [3], [2], [4], [5], [6], [8], [7]],
  ],
]

test('heed-french translates', () =>
  tiny('heed-french', async model => {
    for (const [english, french] of translations) {
      const { text, finishReason } = await model.generate(english, { temperature: 0 })
      assert.deepEqual([text.trim(), finishReason], [french, 'stop'])
    }
  }))

test("a head of heed-french's last layer attends to the word being translated", () =>
  tiny('heed-french', async model => {
    const last = model.info.layers - 1
    const right = Array(model.info.heads).fill(0)
    for (const [english, french, links] of translations) {
      const asked = { of: 'cross', source: english, layers: [last] }
      const {
        weights: [heads],
        tokens,
        keys,
      } = await model.attention(french, asked)
      // The row of a token predicts the next one; the last row predicts the end, which is not part of the text.
      assert.equal(tokens.length - 1, links.length)
      for (const [head, rows] of heads.entries()) {
        right[head] += links.filter((places, i) =>
          places.includes(indexOfMost(rows.subarray(i * keys.length, (i + 1) * keys.length))),
        ).length
      }
    }
    const words = sum(translations.map(([, , links]) => links.length))
    assert.ok(Math.max(...right) >= 0.9 * words, `${right} of ${words} words`)
  }))

// A text, the same event in other words, and a different event in similar words.
const events = [
  [
    'Kate was trailed by Ben at night although she borrowed the ring.',
    'Ben trailed Kate at night even though Kate borrowed the ring.',
    'At night, Kate was trailed by Ben although Ben borrowed the ring.',
  ],
  [
    'Tom fooled the horse because he concealed the bell.',
    'The horse was fooled by Tom because the bell was concealed by Tom.',
    'The horse was fooled by Tom since it concealed the bell.',
  ],
  [
    'Paul was pursued by the aunt because he was sad.',
    'The aunt chased Paul because Paul was sad.',
    'The nurse pursued Paul since Paul was sad.',
  ],
  [
    'The bear was applauded by the small nurse even though it was angry.',
    'The little nurse praised the bear even though the bear was furious.',
    'The bear was praised by the small nurse even though the nurse was angry.',
  ],
  [
    'The man followed the dog and then he dropped the coin.',
    'The dog was followed by the man and afterwards the man dropped the coin.',
    'The man trailed the dog and afterwards the man cleaned the coin.',
  ],
]

test('heed-events recognizes the same event', () =>
  tiny('heed-events', async model => {
    const [texts, same, others] = await Promise.all([0, 1, 2].map(i => model.embed(events.map(event => event[i]))))
    for (const [i, text] of texts.entries()) {
      const candidates = [...same, ...others].map(vector => similarity(text, vector))
      assert.equal(indexOfMost(candidates), i, `${events[i][0]} ${candidates}`)
    }
  }))

test("a head of heed-events's last layer attends to whom a pronoun refers to", () =>
  tiny('heed-events', async model => {
    const last = model.info.layers - 1
    const pronouns = [
      // a text, a pronoun, whom it refers to, and the other one
      ['Tom fooled the horse because he concealed the bell.', 'he', 'tom', 'horse'],
      ['Paul was pursued by the aunt because he was sad.', 'he', 'paul', 'aunt'],
      ['The bear was applauded by the small nurse even though it was angry.', 'it', 'bear', 'nurse'],
      ['The man followed the dog and then he dropped the coin.', 'he', 'man', 'dog'],
      ['The boy thanked the queen because she was clever.', 'she', 'queen', 'boy'],
      ['The queen thanked the boy because she was clever.', 'she', 'queen', 'boy'],
      ['Paul was thanked by the little princess even though he lost the cake.', 'he', 'paul', 'princess'],
      ['The small farmer phoned the dog and afterwards it was furious.', 'it', 'dog', 'farmer'],
    ]
    const right = Array(model.info.heads).fill(0)
    for (const [text, ...words] of pronouns) {
      const {
        weights: [heads],
        tokens,
      } = await model.attention(text, { layers: [last] })
      const [pronoun, who, other] = words.map(word => tokens.findIndex(token => token.text.trim() === word))
      for (const [head, weights] of heads.entries()) {
        const row = weights.subarray(pronoun * tokens.length, (pronoun + 1) * tokens.length)
        if (row[who] > row[other]) right[head]++
      }
    }
    assert.ok(Math.max(...right) >= 7, `${right} of ${pronouns.length}`)
  }))

const examples = {
  boat: 'boat',
  cat: 'cat',
  house: 'house',
  stars: 'star',
  fish: 'fish',
  car: 'car',
  mushrooms: 'mushroom',
  kite: 'kite',
}

test('heed-pictures recognizes the drawings', () =>
  tiny('heed-pictures', async model => {
    for (const [file, label] of Object.entries(examples)) {
      const [best] = await model.classify(drawn(`examples/${file}.png`))
      assert.equal(best.label, label)
      assert.ok(best.probability > 0.5, `${label}: ${best.probability}`)
    }
  }))

test("heed-pictures's last layers attend to the object", () =>
  tiny('heed-pictures', async model => {
    const { width, data } = drawn('examples/kite.png') // dark on light paper
    const { patches, weights: layers } = await model.imageAttention({ width, height: width, data })
    const side = width / patches
    const isThing = Array(patches * patches).fill(false)
    for (let i = 0; i < width * width; i++) {
      if (data[4 * i + 1] < 128) isThing[Math.floor(i / width / side) * patches + Math.floor((i % width) / side)] = true
    }
    const share = isThing.filter(Boolean).length / isThing.length
    assert.ok(share < 0.3)
    for (const heads of layers.slice(-2)) {
      const seen = heads.map(weights => sum(isThing.map((thing, patch) => (thing ? weights[1 + patch] : 0))))
      assert.ok(sum(seen) / seen.length > 0.8, `${seen}, of ${share} of the picture`)
    }
  }))

const captions = {
  boat: 'a red boat on the sea',
  cat: 'an orange cat in the snow',
  house: 'a yellow house on the grass',
  stars: 'two pink stars at night',
  fish: 'three orange fish on the sea',
  car: 'a blue car on the beach',
  mushrooms: 'three red mushrooms on the grass',
  kite: 'a purple kite',
}

test('heed-captions matches images and captions, in both directions', () =>
  tiny('heed-captions', async model => {
    const texts = await model.embed(Object.values(captions))
    const pictures = await model.embedImages(Object.keys(captions).map(file => drawn(`examples/${file}.png`)))
    for (const i of texts.keys()) {
      assert.equal(indexOfMost(texts.map(text => similarity(text, pictures[i]))), i)
      assert.equal(indexOfMost(pictures.map(one => similarity(one, texts[i]))), i)
    }
  }))

test('heed-captions distinguishes colors, numbers and places', () =>
  tiny('heed-captions', async model => {
    for (const [file, ...texts] of [
      ['boat', 'a red boat on the sea', 'a blue boat on the sea', 'a green boat on the sea'],
      ['stars', 'two pink stars at night', 'a pink star at night', 'three pink stars at night'],
      ['car', 'a blue car on the beach', 'a blue car in the snow', 'a blue car at night'],
      ['house', 'a yellow house on the grass', 'a yellow cat on the grass', 'a yellow cup on the grass'],
    ]) {
      const [seen] = await model.embedImages([drawn(`examples/${file}.png`)])
      const vectors = await model.embed(texts)
      assert.equal(indexOfMost(vectors.map(vector => similarity(vector, seen))), 0, file)
    }
  }))

test("a head of heed-captions's last layer attends to the ground", () =>
  tiny('heed-captions', async model => {
    const last = model.info.visionLayers - 1
    const shares = [] // of the class token's attention on the lowest three rows of patches: [image][head]
    for (const file of ['boat', 'cat', 'house', 'car', 'mushrooms']) {
      const {
        patches,
        weights: [heads],
      } = await model.imageAttention(drawn(`examples/${file}.png`), { layers: [last] })
      const [first, end] = [1 + patches * (patches - 3), 1 + patches * patches]
      shares.push(heads.map(weights => sum([...weights.subarray(first, end)])))
    }
    const least = shares[0].map((_, head) => Math.min(...shares.map(heads => heads[head])))
    assert.ok(Math.max(...least) > 0.7, `${shares}`)
  }))

/** The words that are heard where the example's were said: [said, heard] for each of `said`, by the time in its middle, within 0.2 s. */
function litWords(said, segments) {
  const heard = segments.flatMap(({ words }) => words)
  return said.map(({ text, start, end }) => {
    const middle = (start + end) / 2
    const near = heard.filter(word => word.start - 0.2 <= middle && middle < word.end + 0.2)
    return [text, near.map(word => word.text)]
  })
}

test('heed-words hears words of voices that it was not trained on, where they are said', async () => {
  const said = JSON.parse(readFileSync(inTiny('examples/words.json'), 'utf8'))
  const sound = readFileSync(inTiny('examples/words.wav'))
  await withModel(inTiny('heed-words.bin'), {}, async model => {
    const { text, segments } = await model.transcribe(sound, { words: true, attention: { layers: [2] } })
    const lit = litWords(said, segments)
    const right = lit.filter(([word, heard]) => heard.includes(word))
    assert.ok(right.length >= 0.95 * said.length, `${text}: ${JSON.stringify(lit)}`)
    // The heads of the last layer attend to the word as it is written.
    const inside = segments.flatMap(({ words, windowStart }) =>
      words.map(({ start, end, attention }) => {
        const at = time => Math.round((time - windowStart) / 0.02)
        const shares = attention.map(({ weights }) => sum(weights.subarray(Math.max(0, at(start) - 5), at(end) + 5)))
        return sum(shares) / shares.length
      }),
    )
    assert.ok(sum(inside) / inside.length > 0.5, `${inside}`)
  })
})
