// Drafts in the package: the texts are those without, whatever drafts, and the answers say what became of the drafts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { draftingModel } from '../support/drafting_model.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { defaultModelBytes, rejectsWith, withModel } from './support.mjs'

const modelWithHead = draftingModel()
const spoken = 'One fox, two owls and three hens went to the market, where nobody wanted to buy any of their lanterns at all.'
const scripted = scriptedModel([spoken])

/** What must not differ: all but which tokens were drafted. */
const textOf = ({ text, tokens, finishReason }) => ({ text, tokens: tokens.map(({ draft, ...token }) => token), finishReason })

const samplings = [
  { temperature: 0 },
  { temperature: 0.7, seed: 5 },
  { temperature: 1.5, seed: 6, topK: 0, topP: 1, minP: 0, topLogprobs: 3 },
  { temperature: 1, seed: 7, stop: ['\n', 'e'] },
  { temperature: 1, seed: 8, regex: '[a-f]{20,40}' },
  { temperature: 0.9, seed: 9, repetitionPenalty: 1.2 },
]

for (const [name, source, draft] of [
  ['a head in its file', modelWithHead, true],
  ['itself', scripted, scripted],
  ['itself, with recurrent state', modelWithHead, draftingModel({ withHead: false })],
])
  test(`texts are the same with drafts by ${name}`, () =>
    withModel(source, { draft, threads: 2 }, async model => {
      for (const sampling of samplings) {
        const options = { maxTokens: 60, stopAtEnd: !!sampling.regex, ...sampling }
        const plain = await model.generate('Foxes', { ...options, speculate: 'off' })
        const guessed = await model.generate('Foxes', options)
        assert.deepEqual(textOf(guessed), textOf(plain), JSON.stringify(sampling))
        assert.deepEqual([plain.timings.speculation, plain.timings.draftedTokens], ['off', 0])
        const { speculation, draftedTokens, acceptedDrafts, guessedTokens } = guessed.timings
        assert.equal(speculation, 'drafts')
        assert.ok(acceptedDrafts <= draftedTokens && draftedTokens <= guessedTokens)
      }
    }))

test('tokens say at which place they were drafted, and timings how often that was right', () =>
  withModel(scripted, { draft: scripted }, async model => {
    const write = async options => {
      const { steps } = await model.chat([{ role: 'user', content: 'Hi' }], { temperature: 0, ...options })
      return steps[0].generation
    }
    const places = []
    for (let texts = 0; texts < 8; texts++) {
      const { tokens, timings } = await write()
      const { draftsByPlace, draftedTokens, acceptedDrafts } = timings
      const sum = key => draftsByPlace.reduce((total, place) => total + place[key], 0)
      assert.deepEqual([sum('drafted'), sum('accepted')], [draftedTokens, acceptedDrafts])
      const right = draftsByPlace.map((_, at) => tokens.filter(({ draft }) => draft === at + 1).length)
      assert.deepEqual(
        draftsByPlace.map(({ accepted }) => accepted),
        right,
      )
      places.push(...tokens.flatMap(({ draft }) => draft ?? []))
    }
    assert.ok(places.includes(1)) // the first draft of a model is always tried, and it is its own
    const plain = await write({ speculate: 'off' })
    assert.ok(plain.tokens.length > 0 && plain.tokens.every(token => !('draft' in token)))
    assert.deepEqual(plain.timings.draftsByPlace, [])
  }))

test('several texts at once, forks, cuts and saved sessions go on as without drafts', () =>
  withModel(modelWithHead, { draft: true }, async model => {
    const options = { maxTokens: 24, temperature: 1, seed: 3, stopAtEnd: false }
    const plain = { ...options, speculate: 'off' }
    const texts = ['a', 'bc', 'def', 'ghij']
    const together = await Promise.all(texts.map(text => model.generate(text, options)))
    for (const [i, text] of texts.entries()) assert.deepEqual(textOf(together[i]), textOf(await model.generate(text, plain)))

    const session = await model.session()
    await session.generate('Once', options)
    const fork = await session.fork()
    const bytes = await session.save()
    const restored = await model.restore(bytes)
    const expected = textOf(await (await session.fork()).generate(' more', plain))
    for (const one of [session, fork, restored]) assert.deepEqual(textOf(await one.generate(' more', options)), expected)
    await fork.truncate(3)
    const cut = await fork.fork()
    assert.deepEqual(textOf(await fork.generate('x', options)), textOf(await cut.generate('x', plain)))
  }))

test('a session that was saved without drafts goes on without them, and says so', async () => {
  const saved = await withModel(modelWithHead, { draft: false }, async model => {
    const session = await model.session()
    await session.append('Once upon a time')
    return session.save()
  })
  await withModel(modelWithHead, { draft: true }, async model => {
    const session = await model.restore(saved)
    const { timings } = await session.generate(' there', { maxTokens: 40, temperature: 0, stopAtEnd: false })
    assert.deepEqual([timings.draftedTokens, ['unread', 'drafts'].includes(timings.speculation)], [0, true])
  })
})

test('why there are no drafts', async () => {
  const speculation = async (source, load, options) =>
    withModel(source, load, async model => (await model.generate('a', { maxTokens: 3, ...options })).timings.speculation)
  assert.equal(await speculation(modelWithHead, { draft: false }), 'state')
  assert.equal(await speculation(scripted, {}), 'lookup')
  assert.equal(await speculation(scripted, { draft: scripted }, { attention: true }), 'attention')
})

test('a draft that does not fit, or that there is not, is an error', async () => {
  await rejectsWith('unsupported', /llama: has no heads for drafts in its file/, loadModel(scripted, { draft: true }))
  await rejectsWith('invalid-file', /draft: has a vocabulary of/, loadModel(defaultModelBytes(), { draft: modelWithHead }))
  await rejectsWith('invalid-file', /draft: /, loadModel(scripted, { draft: new Uint8Array(64) }))
  await rejectsWith('invalid-argument', /draft: source/, loadModel(scripted, { draft: 7 }))
})

test('a head in the file drafts without being asked, where there is memory for it', async () => {
  const load = { contextLength: 128, parallel: 1, threads: 1 }
  const options = { maxTokens: 40, temperature: 1, seed: 4, stopAtEnd: false }
  const write = draft =>
    withModel(modelWithHead, { ...load, draft }, async model => ({
      written: await model.generate('Foxes', options),
      bytes: (await model.memory()).bytes,
      begun: model.info.memoryBytes,
    }))
  const [unasked, auto, asked, off] = [await write(), await write('auto'), await write(true), await write(false)]
  const drafts = ({ written: { timings } }) => [timings.speculation, timings.draftedTokens > 0]
  assert.deepEqual([unasked, auto, asked].map(drafts), Array(3).fill(['drafts', true])) // the first one is always tried
  assert.deepEqual(drafts(off), ['state', false])
  for (const { written } of [unasked, auto, asked]) assert.deepEqual(textOf(written), textOf(off.written))
  assert.ok(unasked.bytes > off.bytes)

  const fits = async (draft, memoryLimit) => modelStore.fits(modelWithHead, { ...load, draft, memoryLimit })
  const [fit, fitOff] = [await fits(), await fits(false)]
  assert.deepEqual([fit.memory.bytes, fitOff.memory.bytes], [unasked.begun, off.begun])
  assert.ok(fit.memory.cache > fitOff.memory.cache)
  const least = fitOff.memory.bytes + fitOff.memory.cache
  assert.deepEqual((await fits('auto', least)).memory, (await fits(false, least)).memory)
  assert.equal((await fits(true, least)).fits, false)
})

test('its bytes are part of memory, and progress names it', async () => {
  const files = new Set()
  const onProgress = ({ file }) => files.add(file)
  const small = draftingModel({ withHead: false, seed: 2 })
  await withModel(modelWithHead, { draft: false }, async plain => {
    await withModel(modelWithHead, { draft: small, onProgress }, async model => {
      assert.ok((await model.memory()).bytes > (await plain.memory()).bytes)
    })
  })
  assert.deepEqual([...files], [undefined, 'draft'])
})
