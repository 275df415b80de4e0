// Models that keep what they read: in another load it is there again, and an answer whose process was killed goes on. Whatever happens
// to the files, no text changes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { loadModel, modelStore } from 'heed'
import { adapterFile } from '../support/adapters.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { defaultModelBytes, rejectsWith, withModel } from '../package/support.mjs'
import { randomFrom } from './support.mjs'

const one = { threads: 1, keep: true }
const document = 'Once upon a time, there was a little fox who lived in a deep, dark wood. '.repeat(6)
const asked = { maxTokens: 24, seed: 7 }
const folder = () => join(process.env.HEED_MODELS, 'kept')
const kept = ending => readdirSync(folder()).filter(name => name.endsWith(ending))

let expected
before(async () => {
  process.env.HEED_MODELS = mkdtempSync(join(tmpdir(), 'heed-kept-'))
  expected = await withModel(undefined, { threads: 1 }, model => model.generate(document, asked))
})
afterEach(() => modelStore.clearKept())
after(() => rmSync(process.env.HEED_MODELS, { recursive: true }))

/** Generates in a new load; checks the text, and returns how many tokens were not read again. */
const reused = (options = one, prompt = document) =>
  withModel(undefined, options, async model => {
    const { text, timings } = await model.generate(prompt, asked)
    if (prompt === document) assert.equal(text, expected.text)
    return timings.reusedTokens
  })

test('a prompt is there again in another load, and what begins like it', async () => {
  assert.equal(await reused(), 0)
  const { promptTokens } = expected.timings
  assert.ok((await reused()) >= promptTokens - 1)
  assert.ok((await reused(one, `${document}The fox was`)) >= promptTokens - 8)
  assert.equal(await reused({ threads: 1 }), 0)
  assert.equal(await reused(one, 'A bear'), 0)
})

test('sessions and chats, too', async () => {
  const messages = [{ role: 'user', content: document }]
  const first = await withModel(undefined, one, async model => {
    const session = await model.session()
    await session.append(document)
    await session.generate(' The fox', asked)
    return model.chat(messages, asked)
  })
  await withModel(undefined, one, async model => {
    const session = await model.session()
    const { timings } = await session.generate(`${document} The fox`, asked)
    assert.ok(timings.reusedTokens >= expected.timings.promptTokens - 1)
    const again = await model.chat(messages, asked)
    assert.equal(again.message.content, first.message.content)
    assert.ok(again.usage.reusedTokens > expected.timings.promptTokens / 2)
  })
})

test('a text is kept for its model and its type of cache alone', async () => {
  await reused()
  assert.equal(kept('.text').length, 1)
  const other = { ...one, kvCache: 'f16' }
  const read = options => withModel(undefined, options, async model => (await model.generate(document, asked)).timings.reusedTokens)
  assert.equal(await read(other), 0)
  assert.ok((await read(other)) > 0)
  await withModel(goldenBytes('llama-gqa'), one, async model => {
    const ids = Array.from({ length: 50 }, (_, at) => 5 + at)
    assert.equal((await model.generate(ids, { maxTokens: 2, seed: 1 })).timings.reusedTokens, 0)
  })
  assert.ok((await reused()) > 0)
  assert.equal(kept('.text').length, 3)
})

test('texts with an adapter, an edit or an image are not kept, and take nothing that is', async () => {
  await reused()
  await withModel(undefined, { ...one, projector: projectorFile(128) }, async model => {
    await model.loadAdapter('pirate', adapterFile({ architecture: 'llama', width: 128, heads: 4, headDim: 32 }))
    const changed = await model.generate(document, { ...asked, adapters: { pirate: 1 } })
    assert.equal(changed.timings.reusedTokens, 0)
    const edited = await model.generate(document, { ...asked, edits: [{ scale: 0, head: [0, 0] }] })
    assert.equal(edited.timings.reusedTokens, 0)
    await model.generate([document, { image: shaded(3) }], { maxTokens: 2 })
  })
  assert.equal(kept('.text').length, 1)
})

test('keeps no more than it may, and drops what was used least recently', async () => {
  await reused()
  const [{ size }] = kept('.text').map(name => statSync(join(folder(), name)))
  const few = { ...one, keepBytes: Math.floor(size * 2.5) }
  for (const word of ['bear', 'wolf']) {
    await reused(few, document.replaceAll('fox', word))
    assert.ok((await reused(few)) > 0, word) // in use
  }
  assert.equal(kept('.text').length, 2)
  assert.equal(
    (await modelStore.estimate()).kept,
    kept('.text').reduce((sum, name) => sum + statSync(join(folder(), name)).size, 0),
  )
  assert.equal(await reused({ ...one, keepBytes: 1000 }, `${document.replaceAll('fox', 'hen')}`), 0)
  assert.equal(kept('.text').length, 2, 'a text that is too large takes the place of none')
  await rejectsWith('invalid-argument', /keepBytes is an option of `keep`/, loadModel(undefined, { keepBytes: 5 }))
})

test('a longer text takes the place of its beginning', async () => {
  await reused()
  const more = await withModel(undefined, one, async model => [
    ...(await model.tokenize(document)),
    ...expected.tokens.map(({ id }) => id),
    ...(await model.tokenize(document, { addSpecial: false })),
  ])
  await reused(one, more)
  assert.equal(kept('.text').length, 1)
  assert.ok((await reused()) > 0)
})

test('damaged and foreign files are as if absent', async () => {
  const random = randomFrom(5)
  const damages = [
    bytes => bytes.subarray(0, Math.floor(random() * bytes.length)),
    bytes => bytes.fill(0, Math.floor(random() * bytes.length)),
    bytes => {
      const at = Math.floor(random() * bytes.length)
      bytes[at] ^= 1 + Math.floor(random() * 255)
      return bytes
    },
    bytes => Buffer.concat([bytes, Buffer.alloc(9)]),
    () => Buffer.alloc(0),
    () => defaultModelBytes().subarray(0, 5000),
  ]
  for (let round = 0; round < 12; round++) {
    await reused()
    const [name] = kept('.text')
    writeFileSync(join(folder(), name), damages[round % damages.length](readFileSync(join(folder(), name))))
    writeFileSync(join(folder(), 'stranger.text'), Buffer.from('what is this?'))
    await reused() // the text is checked
    assert.ok((await reused()) > 0, `round ${round}`)
  }
  assert.deepEqual(
    kept('.text').filter(name => name.startsWith('stranger')),
    [],
  )
})

/** An answer that is long enough to be killed in the middle of it. */
const long = { maxTokens: 300, seed: 7, stopAtEnd: false }
const longAnswer = () => withModel(undefined, { threads: 1 }, model => model.generate(document, long))

/** Runs a process that is killed when it has so many tokens of the answer. */
async function killAfter(tokens, options = long) {
  const writer = new URL('kept-writer.mjs', import.meta.url).pathname
  const child = spawn(process.execPath, [writer, JSON.stringify([document, options, tokens])], { stdio: 'inherit' })
  const [, signal] = await once(child, 'close')
  assert.equal(signal, 'SIGKILL')
}

test('an answer whose process was killed goes on, bit for bit', async () => {
  const random = randomFrom(3)
  const expected = await longAnswer()
  for (let round = 0; round < 5; round++) {
    await killAfter(1 + Math.floor(random() * 100))
    const [name] = kept('.answer')
    const cut = Math.floor(random() * 12) // of a last line that the disk did not get whole
    if (name && round % 2 === 1) truncateSync(join(folder(), name), Math.max(0, statSync(join(folder(), name)).size - cut))
    await withModel(undefined, one, async model => {
      const [answer, ...others] = await model.unfinished()
      assert.deepEqual(others, [])
      assert.ok(answer.length > 0 && expected.text.startsWith(answer.text))
      assert.deepEqual([answer.seed, answer.prompt.length], [7, expected.timings.promptTokens])
      const { text, tokens, finishReason } = await answer.continue()
      assert.deepEqual(
        [text, tokens.map(({ id }) => id), finishReason],
        [expected.text, expected.tokens.map(({ id }) => id), expected.finishReason],
      )
      assert.deepEqual(await model.unfinished(), [])
    })
    assert.deepEqual(kept('.answer'), [])
  }
})

test('or is asked again with the same seed, or forgotten; one that is being written is not unfinished', async () => {
  const expected = await longAnswer()
  await killAfter(5)
  await withModel(undefined, one, async model => {
    const running = model.generate(document, { maxTokens: 200, seed: 9 })
    for await (const _ of running) break
    const other = await loadModel(undefined, one)
    assert.deepEqual(
      (await other.unfinished()).map(({ seed }) => seed),
      [7],
    )
    assert.equal((await other.generate(document, long)).text, expected.text)
    assert.deepEqual(await other.unfinished(), [])
    await other.dispose()
  })
  await killAfter(5, { ...long, seed: 8 })
  await withModel(undefined, one, async model => {
    const [answer] = await model.unfinished()
    await answer.forget()
    assert.deepEqual(await model.unfinished(), [])
  })
  await withModel(undefined, { threads: 1 }, async model => assert.deepEqual(await model.unfinished(), []))
})

test('an answer that has arrived is not unfinished, in sessions, too', async () => {
  const messages = [{ role: 'user', content: 'Write a story about a fox.' }]
  await withModel(undefined, one, async model => {
    const session = await model.session()
    const ways = [
      options => model.generate(document, options),
      options => model.chat(messages, options),
      options => session.generate(document, options),
      options => session.chat(messages, options),
    ]
    for (const [at, write] of ways.entries()) {
      await write(asked)
      assert.deepEqual(kept('.answer'), [], `way ${at}`)
      for await (const _ of write({ maxTokens: 200, seed: 1 })) break
      const controller = new AbortController()
      await write({ maxTokens: 200, signal: controller.signal, onProgress: () => controller.abort() })
      assert.deepEqual(kept('.answer'), [], `way ${at}, aborted`)
    }
    const cut = session.generate('', { maxTokens: 200, stopAtEnd: false })
    for await (const _ of cut) {
      await session.dispose()
      break
    }
    await rejectsWith('disposed', /disposed/, cut)
    assert.deepEqual(kept('.answer'), [])
  })
})

test('damaged answers are as if absent, from the damage on', async () => {
  const random = randomFrom(11)
  const expected = await longAnswer()
  for (let round = 0; round < 3; round++) {
    await killAfter(12)
    const [name] = kept('.answer')
    const bytes = readFileSync(join(folder(), name))
    bytes[Math.floor(random() * bytes.length)] ^= 1 + Math.floor(random() * 255)
    writeFileSync(join(folder(), name), bytes)
    await withModel(undefined, one, async model => {
      for (const answer of await model.unfinished()) {
        assert.ok(expected.text.startsWith(answer.text))
        assert.equal((await answer.continue()).text, expected.text)
      }
      assert.equal((await model.generate(document, long)).text, expected.text)
    })
    await modelStore.clearKept()
  }
})

test('models without texts to keep work as without it', async () => {
  for (const name of ['bert', 't5']) {
    const notices = []
    await withModel(goldenBytes(name), { ...one, onProgress: ({ notice }) => notice && notices.push(notice) }, async model => {
      assert.ok(model.info.layers > 0)
      assert.deepEqual(await model.unfinished(), [])
    })
    assert.match(notices.join(), /Nothing is kept/)
  }
})
