// Sessions: texts that can be continued, forked, truncated, saved and restored.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { goldenFile } from '../support/golden.mjs'
import { forcing, modules, random, rejectsWith, withModel } from './support.mjs'

const prompt = 'Write a story about a fox and a lantern.\n'
const greedy = { temperature: 0, stopAtEnd: false }
const idsOf = ({ tokens }) => tokens.map(token => token.id)
let model
before(async () => {
  model = await loadModel(undefined, { threads: 2 })
})
after(() => model.dispose())

const withSession = async body => {
  const session = await model.session()
  try {
    return await body(session)
  } finally {
    await session.dispose()
  }
}
/** The tokens that a separate call generates after these. */
const fresh = async (tokens, options) => idsOf(await model.generate(tokens, { ...greedy, ...options }))

test('continues from its tokens', () =>
  withSession(async session => {
    assert.deepEqual([session.tokens, session.length], [[], 0])
    const first = idsOf(await session.generate(prompt, { ...greedy, maxTokens: 12 }))
    assert.deepEqual(session.tokens, [...(await model.tokenize(prompt)), ...first])
    const held = session.tokens
    const { timings, ...second } = await session.generate('', { ...greedy, maxTokens: 12 })
    assert.deepEqual([...first, ...idsOf(second)], await fresh(prompt, { maxTokens: 24 }))
    assert.ok(timings.reusedTokens >= held.length - 1)
    assert.deepEqual(session.tokens, [...held, ...idsOf(second)])
    assert.equal(session.length, session.tokens.length)
  }))

test('appends a prompt to its tokens, with special tokens only at the beginning', () =>
  withSession(async session => {
    await session.generate(prompt, { ...greedy, maxTokens: 5 })
    const held = session.tokens
    const more = await model.tokenize('The hen', { addSpecial: false })
    const written = idsOf(await session.generate('The hen', { ...greedy, maxTokens: 9 }))
    assert.deepEqual(written, await fresh([...held, ...more], { maxTokens: 9 }))
    assert.deepEqual(session.tokens, [...held, ...more, ...written])
    await session.append('The hen', { addSpecial: true })
    assert.deepEqual(session.tokens.slice(held.length + more.length + written.length), await model.tokenize('The hen'))
    await session.append([5, 6])
    assert.deepEqual(session.tokens.slice(-2), [5, 6])
  }))

test('streams like a generation of the model', () =>
  withSession(async session => {
    const tokens = []
    const generation = session.generate(prompt, { maxTokens: 8, seed: 4, stopAtEnd: false, attention: { layers: [1], heads: [0] } })
    for await (const token of generation) tokens.push(token)
    const { text, seed, tokens: all } = await generation
    assert.deepEqual(all, tokens)
    assert.equal(seed, 4)
    const alone = await model.generate(prompt, { maxTokens: 8, seed: 4, stopAtEnd: false, attention: { layers: [1], heads: [0] } })
    assert.deepEqual([text, all], [alone.text, alone.tokens])
  }))

test('append reads without generating', () =>
  withSession(async session => {
    assert.equal(await session.append(prompt), undefined)
    assert.deepEqual(session.tokens, await model.tokenize(prompt))
    const { timings } = await session.generate('', { ...greedy, maxTokens: 6 })
    assert.ok(timings.reusedTokens >= session.length - 7)
    assert.deepEqual(session.tokens.slice(-6), await fresh(prompt, { maxTokens: 6 }))
  }))

test('a fork continues independently', () =>
  withSession(async session => {
    await session.append(prompt)
    const held = session.tokens
    const branches = await Promise.all([session.fork(), session.fork()])
    for (const branch of branches) assert.deepEqual(branch.tokens, held)
    const ends = [[300, 301], [302], []]
    const written = await Promise.all(
      [session, ...branches].map((one, index) => one.generate(ends[index], { ...greedy, maxTokens: 10 })),
    )
    for (const [index, end] of ends.entries()) {
      assert.deepEqual(idsOf(written[index]), await fresh([...held, ...end], { maxTokens: 10 }))
    }
    await branches[0].dispose()
    assert.equal((await branches[1].generate('', { ...greedy, maxTokens: 3 })).tokens.length, 3)
    await branches[1].dispose()
    assert.equal(session.length, held.length + 12)
  }))

test('truncate removes its last tokens', () =>
  withSession(async session => {
    await session.generate(prompt, { ...greedy, maxTokens: 20 })
    const held = session.tokens
    await session.truncate(held.length)
    assert.deepEqual(session.tokens, held)
    await session.truncate(held.length - 15)
    assert.deepEqual(session.tokens, held.slice(0, -15))
    assert.deepEqual(idsOf(await session.generate('', { ...greedy, maxTokens: 15 })), held.slice(-15))
    await session.truncate(0)
    assert.deepEqual(session.tokens, [])
    assert.deepEqual(idsOf(await session.generate(prompt, { ...greedy, maxTokens: 20 })), held.slice(-20), 'from the beginning')
    for (const length of [-1, 1.5, session.length + 1, '3', undefined]) {
      await rejectsWith('invalid-argument', /truncate: length/, session.truncate(length))
    }
  }))

test('truncates layers that have a window or a state, too', async () => {
  for (const name of ['gemma3', 'lfm2']) {
    await withModel(goldenFile(name), {}, async other => {
      const session = await other.session()
      const start = [3, 7, 11, 5, 9]
      const first = idsOf(await session.generate(start, { ...greedy, maxTokens: 25 }))
      await session.truncate(start.length + 10)
      assert.deepEqual(idsOf(await session.generate([], { ...greedy, maxTokens: 15 })), first.slice(10), name)
    })
  }
})

test('a saved session continues with the same bits, with any module', () =>
  withSession(async session => {
    await session.generate(prompt, { ...greedy, maxTokens: 10 })
    const saved = await session.save()
    assert.ok(saved instanceof Uint8Array)
    const options = { maxTokens: 30, seed: 9, stopAtEnd: false, topLogprobs: 2 }
    const held = session.tokens
    const { tokens } = await session.generate('The hen', options)
    for (const module of modules) {
      await withModel(undefined, { ...forcing(module), threads: 1 }, async other => {
        for (const bytes of [saved, saved.buffer, new DataView(saved.buffer)]) {
          const again = await other.restore(bytes)
          assert.deepEqual(again.tokens, held)
          const result = await again.generate('The hen', options)
          assert.deepEqual(result.tokens, tokens)
          assert.ok(result.timings.reusedTokens >= held.length - 1)
          assert.deepEqual(await (await other.restore(bytes)).save(), saved)
        }
      })
    }
  }))

test('rejects bytes that are damaged or of another model', () =>
  withSession(async session => {
    await session.append(prompt)
    const saved = await session.save()
    for (const at of [0, 5, 20, saved.length >> 1, saved.length - 1]) {
      const damaged = saved.slice()
      damaged[at] ^= 4
      await rejectsWith('invalid-argument', /./, model.restore(damaged))
    }
    for (const bytes of [saved.subarray(0, 10), saved.subarray(1), saved.subarray(0, -1), new Uint8Array()]) {
      await rejectsWith('invalid-argument', /./, model.restore(bytes))
    }
    for (const bytes of [undefined, 5, 'bytes', [1, 2], {}]) await rejectsWith('invalid-argument', /restore/, model.restore(bytes))
    await withModel(goldenFile('gpt2'), {}, other => rejectsWith('invalid-argument', /./, other.restore(saved)))
    await withModel(undefined, { kvCache: 'f16' }, other => rejectsWith('invalid-argument', /./, other.restore(saved)))
    assert.deepEqual((await model.restore(saved)).tokens, session.tokens)
  }))

test('calls on one session run one after another, in order', () =>
  withSession(async session => {
    const order = []
    const [first, second, fork] = await Promise.all([
      session.generate(prompt, { ...greedy, maxTokens: 10 }).then(result => {
        order.push('first')
        return result
      }),
      session.generate('', { ...greedy, maxTokens: 10 }).then(result => {
        order.push('second')
        return result
      }),
      session.fork().then(result => {
        order.push('fork')
        return result
      }),
      session.truncate(4).then(() => order.push('truncate')),
    ])
    assert.deepEqual(order, ['first', 'second', 'fork', 'truncate'])
    const start = await model.tokenize(prompt)
    assert.deepEqual([...idsOf(first), ...idsOf(second)], await fresh(prompt, { maxTokens: 20 }))
    assert.deepEqual(fork.tokens, [...start, ...idsOf(first), ...idsOf(second)])
    assert.deepEqual(session.tokens, start.slice(0, 4))
  }))

test('after an abort it has the tokens of the result', () =>
  withSession(async session => {
    for (const count of [1, 4]) {
      await session.truncate(0)
      const controller = new AbortController()
      const generation = session.generate(prompt, { ...greedy, maxTokens: 300, signal: controller.signal })
      const waiting = session.generate('', { signal: controller.signal })
      let seen = 0
      for await (const _ of generation) if (++seen === count) controller.abort()
      const result = await generation
      assert.deepEqual([result.finishReason, result.tokens.length], ['abort', count])
      const { finishReason, tokens } = await waiting
      assert.deepEqual([finishReason, tokens], ['abort', []])
      assert.deepEqual(session.tokens, [...(await model.tokenize(prompt)), ...idsOf(result)])
      const rest = idsOf(await session.generate('', { ...greedy, maxTokens: 8 }))
      assert.deepEqual([...idsOf(result), ...rest], await fresh(prompt, { maxTokens: 8 + count }))
    }
  }))

test('an append that is aborted or does not fit leaves it unchanged', () =>
  withSession(async session => {
    await session.append(prompt)
    const held = session.tokens
    const long = Array(model.info.contextLength - held.length).fill(300)
    for (const delay of [undefined, 2]) {
      const controller = new AbortController()
      const appending = session.append(long, { signal: controller.signal })
      if (delay) setTimeout(() => controller.abort(), delay)
      else controller.abort()
      await rejectsWith('aborted', /./, appending)
      assert.deepEqual(session.tokens, held)
    }
    await rejectsWith('context-overflow', /./, session.append([...long, 1]))
    await rejectsWith('invalid-argument', /vocabulary/, session.append([model.info.vocabulary]))
    await rejectsWith('invalid-argument', /append: expected/, session.append(5))
    await rejectsWith('invalid-argument', /append has no option "maxTokens"/, session.append('a', { maxTokens: 1 }))
    assert.deepEqual(session.tokens, held)
    assert.deepEqual(idsOf(await session.generate('', { ...greedy, maxTokens: 5 })), await fresh(prompt, { maxTokens: 5 }))
  }))

test('a session can shift its context', () =>
  withModel(undefined, { contextLength: 48 }, async small => {
    const session = await small.session()
    const start = await small.tokenize(prompt)
    await session.generate(start, { ...greedy, maxTokens: 80, contextShift: { keep: 5 } })
    assert.ok(session.length <= 49)
    assert.deepEqual(session.tokens.slice(0, 5), start.slice(0, 5))
  }))

test('dispose rejects its running and waiting calls; others continue', async () => {
  const session = await model.session()
  const [running, waiting] = [session.generate(prompt, { ...greedy, maxTokens: 400 }), session.generate('', greedy)]
  const other = model.generate(prompt, { ...greedy, maxTokens: 40 })
  const append = rejectsWith('disposed', /session/, session.append('a'))
  for await (const _ of other) break
  const failing = [rejectsWith('disposed', /session/, running), rejectsWith('disposed', /session/, waiting), append]
  await session.dispose()
  await session.dispose()
  await Promise.all(failing)
  await rejectsWith('disposed', /session/, session.generate('a'))
  await rejectsWith('disposed', /session/, session.append('a'))
  for (const name of ['fork', 'save', 'truncate']) await rejectsWith('disposed', /session/, session[name](0))
  assert.equal((await model.generate(prompt, { ...greedy, maxTokens: 3 })).tokens.length, 3)
})

test('ends with its block and with its model', async () => {
  if (Symbol.asyncDispose) {
    const session = await model.session()
    await session[Symbol.asyncDispose]()
    await rejectsWith('disposed', /session/, session.append('a'))
  }
  const other = await loadModel()
  const session = await other.session()
  const running = rejectsWith('disposed', /model/, session.generate(prompt, { ...greedy, maxTokens: 400 }))
  await other.dispose()
  await running
  await rejectsWith('disposed', /model/, session.append('a'))
  await session.dispose()
})

test('models that do not generate, or have an encoder, have no sessions', async () => {
  for (const name of ['bert', 't5', 'vit']) {
    await withModel(goldenFile(name), {}, other => rejectsWith('unsupported', /./, other.session()))
  }
})

test('if memory is short, a call fails, its session is unchanged, and others continue', () =>
  withModel(undefined, { parallel: 2, contextLength: 128, memoryLimit: 7 * 2 ** 20 }, async small => {
    const sessions = []
    const held = await small.tokenize('Once')
    for (;;) {
      const session = await small.session()
      const full = await session.append('Once').then(
        () => false,
        error => error,
      )
      if (!full) {
        sessions.push(session)
        continue
      }
      assert.equal(full.code, 'out-of-memory')
      assert.deepEqual(session.tokens, [])
      break
    }
    assert.ok(sessions.length > 2)
    const expected = await fresh(held, { maxTokens: 3 })
    await sessions.pop().dispose()
    for (const session of sessions) {
      assert.deepEqual(session.tokens, held)
      assert.deepEqual(idsOf(await session.generate('', { ...greedy, maxTokens: 3 })), expected)
    }
    const { bytes, mostBytes } = await small.memory()
    assert.ok(bytes <= mostBytes && mostBytes <= 7 * 2 ** 20)
  }))

test('concurrent operations on sessions generate the same as separate calls', { timeout: 120_000 }, () =>
  withModel(undefined, { threads: 2, parallel: 4 }, async other => {
    const below = random(7)
    const checkedWrite = async session => {
      const before = session.tokens
      const prompt = Array.from({ length: before.length === 0 ? 5 : below(9) }, () => 270 + below(200))
      const controller = new AbortController()
      const options = { ...greedy, maxTokens: 1 + below(12), signal: controller.signal }
      const stopAfter = below(3) === 0 ? 1 + below(4) : Infinity
      const generation = session.generate(prompt, options)
      let seen = 0
      for await (const _ of generation) if (++seen === stopAfter) controller.abort()
      const written = idsOf(await generation)
      assert.deepEqual(session.tokens, [...before, ...prompt, ...written])
      assert.deepEqual(written, await fresh([...before, ...prompt], { maxTokens: written.length }))
    }
    const steps = {
      write: checkedWrite,
      append: session => session.append([300 + below(50)]),
      truncate: session => session.truncate(below(session.length + 1)),
      async restore(session) {
        const again = await other.restore(await session.save())
        assert.deepEqual(again.tokens, session.tokens)
        await checkedWrite(again)
        await again.dispose()
      },
      async fork(session) {
        const branch = await session.fork()
        assert.deepEqual(branch.tokens, session.tokens)
        await checkedWrite(branch)
        await branch.dispose()
      },
    }
    const names = ['write', 'write', 'append', 'truncate', 'restore', 'fork']
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const session = await other.session()
        for (let step = 0; step < 25; step++) {
          if (session.length > 300) await session.truncate(20)
          await steps[names[below(names.length)]](session)
        }
        await session.dispose()
      }),
    )
  }),
)

test('an unreachable session is freed, but not while it is busy', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--expose-gc',
      '--input-type=module',
      '-e',
      `
    import { loadModel } from 'heed'
    const model = await loadModel(undefined, { prefixCache: 0, parallel: 2, contextLength: 128, memoryLimit: 7 * 2 ** 20 })
    const write = async () => {
      const generation = (await model.session()).generate('Once', { maxTokens: 20, stopAtEnd: false })
      gc()
      return (await generation).tokens.length
    }
    const kept = []
    let room = 0
    for (; ; room++) {
      const session = await model.session()
      const full = await session.append('Once').then(() => kept.push(session), error => error.code)
      if (full === 'out-of-memory') break
    }
    for (const session of kept.splice(0)) await session.dispose()
    const lengths = new Set()
    for (let i = 0; i < 3 * room; i++) {
      const written = await write().catch(error => error.code)
      if (written === 'out-of-memory') await new Promise(resolve => setTimeout(resolve, 10, i--))
      else lengths.add(written)
    }
    console.log(room > 2, [...lengths].join())
    await model.dispose()`,
    ],
    { cwd: inRoot(), timeout: 60_000 },
  )
  assert.equal(stdout, 'true 20\n')
})
