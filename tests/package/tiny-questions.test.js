// heed-questions, our own pair of a text model and a projector: it answers questions about drawings that it was not trained on, and
// attends to the thing that it names, as models/tiny/README.md says.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { drawn, inTiny } from './tiny.mjs'

let model
before(async () => {
  model = await loadModel(inTiny('heed-questions.gguf'), { projector: inTiny('mmproj-heed-questions.gguf'), threads: 2 })
})
after(() => model?.dispose())

// The boxes of the things, [left, top, right, bottom] from 0 to 1, are those that groups.py draws them in.
const drawings = {
  'boat-and-house': {
    boxes: { boat: [0.12, 0.43, 0.49, 0.8], house: [0.62, 0.35, 0.97, 0.7] },
    answers: {
      'Describe the picture.': 'a red boat left of a pink house.',
      'What is on the left?': 'a red boat.',
      'What is just right of the boat?': 'a pink house.',
      'Is there a star?': 'no.',
      'How many things are there?': 'two.',
    },
  },
  'tree-and-car': {
    boxes: { tree: [0.1, 0.39, 0.52, 0.8], car: [0.63, 0.31, 0.98, 0.66] },
    answers: {
      'Describe the picture.': 'a blue tree left of an orange car.',
      'What colour is the car?': 'orange.',
      'What is orange?': 'a car.',
      'Is there a tree?': 'yes.',
    },
  },
  'fish-mushroom-flower': {
    boxes: { fish: [0.06, 0.52, 0.33, 0.78], mushroom: [0.4, 0.39, 0.64, 0.64], flower: [0.66, 0.29, 0.96, 0.59] },
    answers: {
      'Describe the picture.': 'a pink fish, a red mushroom and a yellow flower.',
      'What is in the middle?': 'a red mushroom.',
      'What is yellow?': 'a flower.',
      'What color is the fish?': 'pink.',
      'How many things are there?': 'three.',
    },
  },
  'moon-house-tree': {
    boxes: { moon: [0.04, 0.35, 0.35, 0.66], house: [0.38, 0.22, 0.67, 0.51], tree: [0.7, 0.21, 0.97, 0.47] },
    answers: {
      'Describe the picture.': 'a yellow moon, a pink house and a green tree.',
      'Where is the house?': 'in the middle.',
      'What is green?': 'a tree.',
    },
  },
  'cup-kite-heart': {
    boxes: { cup: [0.06, 0.17, 0.31, 0.42], kite: [0.31, 0.37, 0.62, 0.69], heart: [0.66, 0.02, 0.94, 0.3] },
    answers: {
      'Describe the picture.': 'a blue cup, a red kite and a yellow heart.',
      'What colour is the kite?': 'red.',
      'What is on the right?': 'a yellow heart.',
      'Is there a star?': 'no.',
    },
  },
}

const ask = (name, question, options) =>
  model.chat(
    [
      {
        role: 'user',
        content: [
          { type: 'image', image: drawn(`examples/${name}.png`) },
          { type: 'text', text: question },
        ],
      },
    ],
    { temperature: 0, maxTokens: 24, ...options },
  )

test('heed-questions answers questions about drawings', async () => {
  assert.equal(model.info.acceptsImages, true)
  for (const [name, { answers }] of Object.entries(drawings)) {
    for (const [question, answer] of Object.entries(answers)) {
      const { text, finishReason } = await ask(name, question)
      assert.deepEqual([text.trim(), finishReason], [answer, 'stop'], `${name}: ${question}`)
    }
  }
})

test('heed-questions answers further questions about a drawing in a conversation', async () => {
  const session = await model.session()
  const messages = []
  const image = { type: 'image', image: drawn('examples/tree-and-car.png') }
  for (const [content, answer] of [
    [[image, { type: 'text', text: 'What is on the right?' }], 'an orange car.'],
    ['What colour is the tree?', 'blue.'],
  ]) {
    messages.push({ role: 'user', content })
    const { message } = await session.chat(messages, { temperature: 0, maxTokens: 24 })
    assert.equal(message.content.trim(), answer)
    messages.push(message)
  }
  await session.dispose()
})

test('heed-questions attends to the thing that it names', async () => {
  const last = model.info.layers - 1
  for (const [name, { boxes }] of Object.entries(drawings)) {
    const {
      steps: [
        {
          promptIds,
          generation: { tokens },
        },
      ],
    } = await ask(name, 'Describe the picture.', { attention: { layers: [last] } })
    const first = promptIds.indexOf(-1)
    const side = Math.sqrt(promptIds.filter(id => id === -1).length)
    for (const [thing, [left, top, right, bottom]] of Object.entries(boxes)) {
      const {
        attention: [heads],
      } = tokens.find(({ text }) => text.trim() === thing)
      const means = Array.from({ length: side * side }, (_, patch) =>
        heads.reduce((sum, weights) => sum + weights[first + patch], 0),
      )
      const most = means.indexOf(Math.max(...means))
      const [x, y] = [((most % side) + 0.5) / side, (Math.floor(most / side) + 0.5) / side]
      assert.ok(left <= x && x <= right && top <= y && y <= bottom, `${name}: ${thing} is not at ${x}, ${y}`)
    }
  }
})

/** The prompt of a question as the model's template has it, for calls that read it; and the answer's tokens. */
async function asked(name, question) {
  const {
    steps: [
      {
        prompt,
        generation: { tokens },
      },
    ],
  } = await ask(name, question)
  return { prompt, tokens }
}
const asIs = { addSpecial: false }

test('a question about a drawing: the right answer is the most probable, and stands out in the last layers', async () => {
  for (const [name, { answers }] of Object.entries(drawings)) {
    const { prompt, tokens } = await asked(name, 'Describe the picture.')
    const { layers, vocabulary } = model.info
    const [first] = tokens
    const logits = await model.logits(prompt, asIs)
    assert.equal(logits.length, vocabulary)
    assert.equal(logits.indexOf(Math.max(...logits)), first.id)
    const lens = await model.lens(prompt, { ...asIs, top: 1 })
    assert.deepEqual(
      lens.layers.map(({ layer }) => layer),
      Array.from({ length: layers + 1 }, (_, index) => index - 1),
    )
    assert.equal(lens.layers.at(-1).predictions[0].top[0].id, first.id)
    const { sum, logit, token } = await model.attribute(prompt, asIs)
    assert.equal(token.id, first.id)
    assert.equal(Math.fround(logit), logits[first.id])
    assert.ok(Math.abs(sum - logit) < 1e-2 * Math.abs(logit)) // of quantized weights, whose products round what they read

    const others = Object.entries(drawings)
      .filter(([other]) => other !== name)
      .map(([, { answers }]) => answers['Describe the picture.'])
    const ids = [{ ids: tokens.map(({ id }) => id) }]
    const lead = tokens[0].text.startsWith(' ') ? ' ' : ''
    const [best, next] = await model.score(prompt, [...others.map(other => `${lead}${other}`), ids], { ...asIs, by: 'mean' })
    assert.equal(best.index, others.length, `${name}: ${answers['Describe the picture.']}`)
    assert.ok(best.mean > next.mean + 1, `${best.mean} and ${next.mean}`)
  }
})

test('the rows that the projector makes of different things differ, and belong to the places that images have', async () => {
  const { prompt } = await asked('boat-and-house', 'Describe the picture.')
  const {
    states: [rows],
    images: [{ width, height, patches }],
  } = await model.hidden(prompt, { ...asIs, layers: [-1] })
  const size = model.info.width
  const inside = ([left, top, right, bottom]) =>
    patches.filter(
      ({ x, y, ...patch }) =>
        x >= left * width && y >= top * height && x + patch.width <= right * width && y + patch.height <= bottom * height,
    )
  const meanOf = list =>
    Float32Array.from(
      { length: size },
      (_, at) => list.reduce((sum, { position }) => sum + rows[position * size + at], 0) / list.length,
    )
  const { boat, house } = drawings['boat-and-house'].boxes
  const [red, pink, sky] = [boat, house, [0, 0, 1, 0.3]].map(box => meanOf(inside(box)))
  const apart = (a, b) => Math.hypot(...a.map((value, at) => value - b[at]))
  assert.equal(patches.length, 64)
  assert.ok(Math.min(apart(red, pink), apart(red, sky), apart(pink, sky)) > 0.1, 'the rows of different things differ')
})
