// Adapters, control vectors and edits, against the lab's references in ../shared/lab; and the results that they must not change.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { ggufFile } from '../../tools/bench/models/gguf.mjs'
import { adapterFile, controlVectorFile, headAdapterFile } from '../support/adapters.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { differenceOf, floatsOf, labFile, labFiles, labModel, loadLab, rowsOf } from '../support/lab.mjs'
import { needsShared, rejectsWith, withModel } from './support.mjs'

const greedy = { temperature: 0, maxTokens: 12, stopAtEnd: false }

/** Compares the logits of a case at its positions. */
async function compare(model, reference, json, one, tokens, options, most) {
  const logits = await model.logits(tokens, { positions: one.pos, ...options })
  const expected = reference.subarray(one.row * json.n_vocab, (one.row + one.rows) * json.n_vocab)
  const difference = differenceOf(logits, expected)
  assert.ok(difference <= most, `${one.id}: ${difference}, and at most ${most}`)
}

const adapted = needsShared.skip
  ? []
  : ['lora', 'alora'].flatMap(part => labFiles(part).map(({ name, json }) => ({ part, name, json })))

for (const { part, name, json } of adapted) {
  test(`adapters of ${name} give the reference's logits`, async context => {
    const files = json.adapter ? [json.adapter] : Object.keys(json.adapters)
    const adapters = Object.fromEntries(files.map(file => [file, labFile(part, file)]))
    await withModel(labModel(json), { kvCache: 'f32', contextLength: 96, adapters }, async model => {
      const reference = rowsOf(part, name, json)
      const cases = json.cases.filter(one => !one.server)
      const partly = json.adapter ? [] : cases.filter(one => one.loras.some(([, , from, to]) => from > 0 || to !== null))
      if (partly.length > 0)
        context.diagnostic(
          `${partly.length} of ${cases.length} cases have adapters for a part of a text, which only the native program has`,
        )
      for (const one of cases.filter(one => !partly.includes(one))) {
        const wanted = json.adapter ? [[json.adapter, one.scale]] : one.loras
        await compare(
          model,
          reference,
          json,
          one,
          one.tokens ?? json.tokens,
          { adapters: Object.fromEntries(wanted) },
          Math.max(2e-5, 1.2 * one.llama_rel),
        )
      }
      assert.ok(cases.length - partly.length >= 4, `${cases.length}`)
    })
  })
}

test('an adapter applies to generation, chats, sessions, and all that reads', needsShared, async () => {
  const json = loadLab('lora', 'llama-gqa')
  await withModel(labModel(json), { kvCache: 'f32', contextLength: 96 }, async model => {
    const { tokens } = json
    const before = (await model.memory()).bytes
    const plain = await model.generate(tokens, greedy)
    await model.loadAdapter('a', readFileSync(labFile('lora', 'llama-gqa.a.gguf')))
    const added = (await model.memory()).bytes - before
    assert.ok(added > 0, 'the memory of the adapter is counted')
    const changed = { adapters: { a: 1 } }
    const texts = await Promise.all([
      model.generate(tokens, { ...greedy, ...changed }),
      model.generate(tokens, greedy),
      model.generate(tokens, { ...greedy, adapters: { a: 0 } }),
    ])
    const [adapted] = texts
    const reference = json.cases.find(({ id }) => id === 'a x 1')
    const ids = ({ tokens: list }) => list.map(({ id }) => id)
    assert.deepEqual(ids(adapted), reference.greedy.slice(0, greedy.maxTokens))
    assert.notDeepEqual(ids(adapted), ids(plain))
    for (const other of texts.slice(1)) assert.deepEqual(ids(other), ids(plain), 'other texts are what they were')

    const session = await model.session()
    await session.append(tokens, changed)
    const continued = await session.generate('', { ...greedy, ...changed, addSpecial: false })
    assert.deepEqual(ids(continued), ids(adapted))
    assert.equal(continued.timings.promptTokens - continued.timings.reusedTokens, 1, 'the session had read it with the adapter')
    await session.truncate(tokens.length)
    assert.deepEqual(ids(await session.generate('', { ...greedy, addSpecial: false })), ids(plain), 'a session may change to none')

    const differs = async call => assert.notDeepEqual(await call(changed), await call({}))
    await differs(options => model.attention(tokens, options))
    await differs(options => model.hidden(tokens, options))
    await differs(options => model.lens(tokens, options))
    await differs(options => model.score(tokens, options))
    await differs(options => model.score(tokens.slice(0, 5), [tokens.slice(5)], options))
    await differs(options => model.logits(tokens, options))
    await differs(options => model.attribute(tokens, options))
    const ablated = {
      ...changed,
      edits: [
        { head: [0, 1], scale: 0 },
        { add: Array(model.info.width).fill(0.3), layer: 0 },
      ],
    }
    for (const options of [changed, ablated]) {
      const { sum, logit, token, heads } = await model.attribute(tokens, options)
      assert.ok(Math.abs(sum - logit) <= 1e-4, `${sum}, and the logit is ${logit}`)
      assert.equal(Math.fround(logit), (await model.logits(tokens, options))[token.id])
      assert.equal(heads[0][1] === 0, options === ablated, 'an ablated head writes nothing')
    }
  })
})

test('adapters that are not there, and files that are none, are errors that name them', needsShared, async () => {
  const { base, cases } = JSON.parse(readFileSync(labFile('bad', 'bad.json'), 'utf8'))
  await withModel(labFile(base), { kvCache: 'f32', contextLength: 96 }, async model => {
    const [{ tokens }] = cases
    const plain = await model.logits(tokens)
    await rejectsWith(
      'invalid-argument',
      /adapters: "x" has not been loaded; loaded: none/,
      model.logits(tokens, { adapters: { x: 1 } }),
    )
    await model.loadAdapter('good', new Blob([readFileSync(labFile('bad', 'good.gguf'))]))
    await rejectsWith(
      'invalid-argument',
      /there is an adapter "good" already/,
      model.loadAdapter('good', labFile('bad', 'good.gguf')),
    )
    await rejectsWith(
      'invalid-argument',
      /"x" has not been loaded; loaded: "good"/,
      model.generate(tokens, { adapters: { x: 1 } }).result,
    )
    for (const one of cases) {
      if (one.base !== base || one.expect === 'accept') continue
      const loading = model.loadAdapter(one.file, labFile('bad', one.file))
      if (one.expect === 'refuse') {
        await assert.rejects(loading, error => {
          assert.match(error.message, new RegExp(`adapter "${one.file}": .`))
          return ['invalid-file', 'invalid-argument', 'unsupported'].includes(error.code)
        })
      } else await loading.catch(error => assert.match(error.message, /adapter/))
    }
    await rejectsWith('invalid-argument', /loadAdapter: source/, model.loadAdapter('x', 5))
    await rejectsWith('invalid-argument', /loadAdapter: source/, model.loadAdapter('x'))
    await rejectsWith('invalid-argument', /loadAdapter: name/, model.loadAdapter(5, labFile('bad', 'good.gguf')))
    await rejectsWith('io', /nothing.gguf/, model.loadAdapter('x', labFile('bad', 'nothing.gguf')))
    assert.deepEqual(await model.logits(tokens), plain, 'the model is as it was')
    assert.notDeepEqual(await model.logits(tokens, { adapters: { good: 1 } }), plain)
  })
  await rejectsWith(
    'invalid-argument',
    /adapter "x": .*general.architecture/,
    loadModel(undefined, { adapters: { x: labFile('lora', 'gemma2.a.gguf') } }),
  )
})

test('an adapter may come from any source: streams that fail or never end fail the call alone', needsShared, async () => {
  const json = loadLab('lora', 'llama-gqa')
  const bytes = readFileSync(labFile('lora', 'llama-gqa.a.gguf'))
  await withModel(labModel(json), { kvCache: 'f32', contextLength: 96 }, async model => {
    async function* pieces(end) {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
      await end?.()
    }
    const failing = rejectsWith(
      'io',
      /loadAdapter: source: .*the line is dead/,
      model.loadAdapter(
        'failing',
        (async function* () {
          yield bytes.subarray(0, 1000)
          throw new Error('the line is dead')
        })(),
      ),
    )
    const stop = new AbortController()
    const endless = model.loadAdapter(
      'endless',
      pieces(() => new Promise(() => {})),
      { signal: stop.signal },
    )
    const progress = []
    await model.loadAdapter('pieces', pieces(), { onProgress: ({ loaded }) => progress.push(loaded) })
    await model.loadAdapter('bytes', bytes)
    await failing
    setTimeout(() => stop.abort(), 20)
    await rejectsWith('aborted', /./, endless)
    assert.ok(progress.length > 0 && progress.at(-1) <= bytes.length)
    assert.deepEqual(
      await model.logits(json.tokens, { adapters: { pieces: 1 } }),
      await model.logits(json.tokens, { adapters: { bytes: 1 } }),
    )
    await rejectsWith('invalid-argument', /"endless" has not been loaded/, model.logits(json.tokens, { adapters: { endless: 1 } }))
  })
})

for (const { name, json } of needsShared.skip ? [] : labFiles('cvec')) {
  test(`control vectors of ${name} give the reference's logits`, async () => {
    await withModel(labModel(json), { kvCache: 'f32', contextLength: 96 }, async model => {
      const reference = rowsOf('cvec', name, json)
      for (const one of json.cases) {
        for (const [file] of one.loras ?? []) await model.loadAdapter(file, labFile('cvec', file))
        const edits = []
        for (const [file, scale] of one.files) {
          edits.push(...(await model.controlVector(labFile('cvec', file), { scale, layers: one.range ?? undefined })))
        }
        const adapters = Object.fromEntries((one.loras ?? []).map(([file, scale]) => [file, scale]))
        await compare(
          model,
          reference,
          json,
          one,
          one.tokens ?? json.tokens,
          { edits, adapters },
          Math.max(2e-5, 1.2 * one.llama_rel),
        )
      }
    })
  })
}

test('bad control vectors are refused', needsShared, async () => {
  const { cases } = JSON.parse(readFileSync(labFile('cvec', 'bad.json'), 'utf8'))
  await withModel(labFile(cases[0].base), { contextLength: 96 }, async model => {
    for (const { file, expect } of cases) {
      const reading = model.controlVector(labFile('cvec', file))
      if (expect === 'refuse')
        await assert.rejects(reading, { code: /^(invalid-file|invalid-argument|unsupported)$/, message: /^controlVector: ./ }, file)
      else await reading.catch(({ code }) => assert.match(code, /^(invalid-file|unsupported)$/, file))
    }
  })
})

test('a direction is the difference of means, and steers; its file is a control vector', async () => {
  const model = await loadModel()
  const texts = ['I am happy', 'What a joy it was'],
    others = ['I am sad', 'What a pity', 'She cried']
  const { vector, layer, save } = await model.direction(texts, others, { layer: 2 })
  const meanOf = async list => {
    const states = await Promise.all(list.map(async text => (await model.hidden(text, { layers: [2], positions: [-1] })).states[0]))
    return Array.from(states[0], (_, at) => states.reduce((sum, state) => sum + state[at], 0) / states.length)
  }
  const [first, second] = [await meanOf(texts), await meanOf(others)]
  assert.deepEqual(
    vector,
    Float32Array.from(first, (value, at) => value - second[at]),
  )
  const [edit] = await model.controlVector(save())
  assert.deepEqual(edit, { add: vector, layer, scale: 1 })
  const steered = edits => model.generate('Once upon a time', { ...greedy, edits })
  const [a, b, c] = [await steered([{ add: vector, layer, scale: -3 }]), await steered([{ ...edit, scale: -3 }]), await steered([])]
  assert.equal(a.text, b.text)
  assert.notEqual(a.text, c.text)
  assert.throws((await model.direction(texts, others, { layer: 0 })).save, { code: 'unsupported', message: /layer 0/ })
  await rejectsWith('invalid-argument', /each list needs a text/, model.direction([], others, { layer: 1 }))
  await rejectsWith('invalid-argument', /99/, model.direction(texts, others, { layer: 99 }))
  await model.dispose()
})

test('adapters and control vectors work with any model, and without ../shared', async () => {
  const model = await loadModel(undefined, { threads: 1 })
  const { bytes: before, mostBytes } = await model.memory()
  await model.loadAdapter('small', adapterFile(model.info))
  await model.loadAdapter('smaller', new Blob([adapterFile(model.info, 0.1)]))
  const { bytes } = await model.memory()
  assert.ok(bytes > before && bytes < mostBytes)
  const texts = await Promise.all(
    [{}, { small: 1 }, { smaller: 1 }, { small: 1, smaller: 1 }, { small: 0 }].map(async adapters =>
      (await model.logits([1, 2, 3], { adapters })).slice(),
    ),
  )
  assert.deepEqual(texts[4], texts[0])
  for (const [index, one] of texts.slice(0, 4).entries())
    for (const other of texts.slice(index + 1, 4)) assert.notDeepEqual(one, other)
  const edits = await model.controlVector(controlVectorFile(model.info, [1, 3]), { layers: [2, 9], scale: 0.5 })
  assert.deepEqual(
    edits.map(({ layer, scale, add }) => [layer, scale, add.length]),
    [[3, 0.5, model.info.width]],
  )
  await model.dispose()
  await withModel(undefined, { memoryLimit: bytes + 4e6, adapters: { small: adapterFile(model.info) } }, async small => {
    const huge = adapterFile({ ...model.info }, 0.3)
    await small.loadAdapter('again', huge)
    assert.ok((await small.memory()).bytes <= (await small.memory()).mostBytes)
    await rejectsWith(
      'out-of-memory',
      /left/,
      small.loadAdapter(
        'endless',
        (async function* () {
          for (;;) yield huge
        })(),
      ),
    )
  })
})

test('the lens reads out by an adapter of the output matrix, where that is on', async () => {
  for (const name of ['llama-gqa', 'phi2']) {
    await withModel(goldenBytes(name), {}, async model => {
      const { vocabulary, layers } = model.info
      await model.loadAdapter('whole', headAdapterFile(model.info))
      await model.loadAdapter('invoked', headAdapterFile(model.info, { 'adapter.alora.invocation_tokens': ['u32', [7, 8]] }))
      const ids = [1, 5, 9, 7, 8, 4, 6]
      const plain = await model.logits(ids, { positions: 'all' })
      for (const adapters of [{ whole: 0.5 }, { invoked: -1 }, { whole: 0.3, invoked: 0.7 }]) {
        const logits = await model.logits(ids, { positions: 'all', adapters })
        assert.notDeepEqual(logits.slice(-vocabulary), plain.slice(-vocabulary))
        const positions = [6, 2, 3, 0],
          tokens = [3, 11, 20]
        const {
          layers: [, last],
        } = await model.lens(ids, { layers: [0, layers - 1], positions, tokens, adapters })
        for (const [index, position] of positions.entries()) {
          const row = logits.subarray(position * vocabulary, (position + 1) * vocabulary)
          const total = Math.log(row.reduce((sum, logit) => sum + Math.exp(logit), 0))
          const {
            top: [best],
            logprobs,
          } = last.predictions[index]
          assert.equal(best.id, row.indexOf(Math.max(...row)), `${name}, position ${position}`)
          tokens.forEach((id, at) =>
            assert.ok(
              Math.abs(logprobs[at] - row[id] + total) < 1e-4,
              `${name}, position ${position}: ${logprobs[at]}, and not ${row[id] - total}`,
            ),
          )
        }
      }
    })
  }
})

test('an adapter that is unloaded gives its memory back, and its name', async () => {
  const model = await loadModel(undefined, { threads: 1 })
  const file = adapterFile(model.info),
    ids = [1, 2, 3, 4, 5, 6, 7, 8],
    changed = { adapters: { a: 1 } }
  const plain = await model.logits(ids)
  const { bytes: before } = await model.memory()
  await model.loadAdapter('a', file)
  const { bytes: loaded } = await model.memory()
  const adapted = await model.logits(ids, changed)
  await model.unloadAdapter('a')
  assert.ok((await model.memory()).bytes <= before + (loaded - before) / 2)
  await rejectsWith('invalid-argument', /adapters: "a" has not been loaded; loaded: none/, model.logits(ids, changed))
  await rejectsWith('invalid-argument', /unloadAdapter: .*"a" has not been loaded/, model.unloadAdapter('a'))
  await rejectsWith('invalid-argument', /unloadAdapter: name/, model.unloadAdapter())
  assert.deepEqual(await model.logits(ids), plain, 'nothing that was read by it is left')

  await model.loadAdapter('a', adapterFile(model.info, 0.1))
  assert.notDeepEqual(await model.logits(ids, changed), adapted, 'another one of its name')
  await model.unloadAdapter('a')
  await model.loadAdapter('a', file)
  assert.deepEqual(await model.logits(ids, changed), adapted, 'the same, again')
  await model.dispose()
})

test('an adapter takes the memory of cached prefixes, as texts do', async () => {
  const options = { threads: 1, parallel: 1, contextLength: 512 }
  const write = model => model.generate('Once upon a time', { maxTokens: 500, stopAtEnd: false, seed: 1 })
  const { file, memoryBytes, memoryLimit } = await withModel(undefined, options, async model => {
    await write(model)
    return { file: adapterFile(model.info), memoryBytes: model.info.memoryBytes, memoryLimit: (await model.memory()).bytes }
  })
  await withModel(undefined, { ...options, memoryLimit }, async model => {
    await write(model)
    const { bytes, mostBytes } = await model.memory()
    assert.ok(bytes + file.length > mostBytes, 'the cache has it all')
    await model.loadAdapter('a', file)
    await rejectsWith(
      'out-of-memory',
      /more than the \d+ bytes that are left beside the model/,
      model.loadAdapter('b', new Uint8Array(mostBytes - memoryBytes + 1)),
    )
    assert.equal(
      (await model.generate('Once upon a time', { maxTokens: 5, stopAtEnd: false, adapters: { a: 1 } })).tokens.length,
      5,
    )
  })
})

test('an adapter that is in use stays: for a text that is written, and for a session', async () => {
  const model = await loadModel(undefined, { threads: 1 })
  await model.loadAdapter('a', adapterFile(model.info))
  const stop = new AbortController(),
    changed = { adapters: { a: 1 } }
  const writing = model.generate('Once upon a time', { ...changed, maxTokens: 500, stopAtEnd: false, signal: stop.signal })
  await rejectsWith('invalid-argument', /unloadAdapter: .*in use/, model.unloadAdapter('a')) // it comes while the first tokens are written
  stop.abort()
  await writing.result
  const session = await model.session()
  await session.append('Once upon a time', changed)
  await rejectsWith('invalid-argument', /in use by a text or a session/, model.unloadAdapter('a'))
  await session.generate(' there', { ...greedy, maxTokens: 1 }) // continued without it
  await model.unloadAdapter('a')
  await model.loadAdapter('b', adapterFile(model.info))
  const other = await model.session()
  await other.append('Once', { adapters: { b: 1 } })
  await rejectsWith('invalid-argument', /in use/, model.unloadAdapter('b'))
  await other.dispose()
  await model.unloadAdapter('b')
  assert.ok((await model.generate('Once', greedy)).text.length > 0)
  await model.dispose()
})

/** An op of the references (tools/cli/plan.hpp) as edits. */
function editsOf({ op, layer, head, positions, vector, ...rest }) {
  switch (op) {
    case 'add':
      return [{ add: vector, layer, scale: rest.scale, positions }]
    case 'replace':
      return [{ replace: vector, layer, positions }]
    case 'patch':
      return [{ patch: rest.tokens, layer, positions: [[rest.position, rest.from]] }]
    case 'scale-head':
      return [{ head: [layer, head], scale: rest.factor, positions }]
    case 'set-head':
      return [{ head: [layer, head], replace: vector, positions }]
    case 'mean-head':
      return [{ head: [layer, head], mean: rest.tokens, positions }]
    case 'cut':
      return rest.edges.map(([query, key]) => ({ cut: { layer, head: head === 'all' ? undefined : head, query, key } }))
    default:
      throw new Error(op)
  }
}

for (const name of ['llama-gqa', 'gpt2', 'gemma2', 'qwen3']) {
  test(`edits of ${name} give the reference's logits`, needsShared, async () => {
    const json = loadLab('intervene', name)
    await withModel(labModel(json), { kvCache: 'f32', contextLength: 96 }, async model => {
      const reference = floatsOf('intervene', `${name}.f32`)
      for (const one of json.cases) {
        const edits = one.plan.ops.flatMap(editsOf)
        await compare(model, reference, json, one, json.tokens, { edits }, Math.max(2e-5, 2 * json.checks.plain_vs_llama))
      }
    })
  })
}

test('edits apply to generation, chats, sessions and all reading calls, and do not affect others', async () => {
  const model = await loadModel()
  const prompt = 'Once upon a time'
  const ids = await model.tokenize(prompt)
  const plain = await model.generate(prompt, greedy)
  const {
    states: [state],
  } = await model.hidden('Once upon a dog', { layers: [0], positions: [-1] })
  const [row] = [Float32Array.from(state)]
  const patch = { edits: [{ patch: 'Once upon a dog', layer: 0, positions: [[4, 4]] }] }
  const replace = { edits: [{ replace: row, layer: 0, positions: [4] }] }
  const [patched, replaced, after] = await Promise.all([
    model.generate(prompt, { ...greedy, ...patch }),
    model.generate(prompt, { ...greedy, ...replace }),
    model.generate(prompt, greedy),
  ])
  assert.notEqual(patched.text, plain.text)
  assert.equal(replaced.text, patched.text, 'a patch is the state of the other text')
  assert.deepEqual(after.tokens, plain.tokens)
  assert.equal((await model.generate(prompt, { ...greedy, edits: [] })).text, plain.text)

  const messages = [{ role: 'user', content: 'Write a story about a fox.' }]
  const asked = { temperature: 0, maxTokens: 12 }
  const mute = { edits: [0, 1, 2, 3].map(head => ({ head: [2, head], scale: -2 })) }
  const [answer, other] = await Promise.all([model.chat(messages, { ...asked, ...mute }), model.chat(messages, asked)])
  assert.notEqual(answer.text, other.text)
  const talk = await model.session()
  assert.equal((await talk.chat(messages, { ...asked, ...mute })).text, answer.text)
  await rejectsWith('invalid-argument', /"x" has not been loaded/, model.chat(messages, { ...asked, adapters: { x: 1 } }).result)

  const session = await model.session()
  await session.append(prompt, patch)
  assert.equal((await session.generate('', { ...greedy, ...patch, addSpecial: false })).text, patched.text)
  const differs = async call => assert.notDeepEqual(await call(patch), await call({}))
  await differs(options => model.logits(ids, options))
  await differs(options => model.attention(prompt, options))
  await differs(options => model.hidden(prompt, { ...options, layers: [3] }))
  await differs(options => model.lens(prompt, { ...options, layers: [3] }))
  await differs(options => model.score(`${prompt} there`, options))

  const { width, heads, layers } = model.info
  const cut = { cut: { layer: 1, head: 2, query: [3, 4], key: [0, 1] } }
  const {
    weights: [[uncut, seen]],
  } = await model.attention(prompt, { layers: [1], heads: [1, 2], edits: [cut] })
  const count = ids.length
  for (const query of [3, 4]) for (const key of [0, 1]) assert.equal(seen[query * count + key], 0)
  assert.ok(seen[2 * count] > 0 && uncut[3 * count] > 0)
  assert.ok(
    Math.abs(seen.subarray(4 * count).reduce((sum, weight) => sum + weight, 0) - 1) < 1e-4,
    'the softmax is over the others',
  )

  const wrong = async (edit, message) => {
    await rejectsWith('invalid-argument', message, model.logits(ids, { edits: [{ add: new Float32Array(width), layer: 0 }, edit] }))
    await rejectsWith(
      'invalid-argument',
      message,
      async () => model.generate(prompt, { edits: [{ add: new Float32Array(width), layer: 0 }, edit] }).result,
    )
  }
  await wrong({ add: [1, 2], layer: 0 }, /edits\[1\].*has 2 numbers, expected/)
  await wrong({ add: [NaN], layer: 0 }, /edits\[1\]: add: expected finite numbers, got NaN at index 0/)
  await wrong({ add: Array(width).fill(1e300), layer: 0 }, /edits\[1\]: add/)
  await wrong({ add: new Float32Array(width), layer: layers }, /edits\[1\].layer: \d+ is out of range/)
  await wrong({ add: new Float32Array(width) }, /edits\[1\]: layer: required/)
  await wrong({ head: [0, heads], scale: 0 }, /edits\[1\].head: \d+ is out of range/)
  await wrong({ head: [0, 0, 0], scale: 0 }, /edits\[1\]: head: expected \[layer, head\]/)
  await wrong({ head: [0, 0] }, /edits\[1\]: scale: required/)
  await wrong({ head: [0, heads], mean: 'other' }, /edits\[1\]: head: \d+ is out of range/)
  await wrong({ patch: 'other', layer: 0, positions: [[0, 99]] }, /edits\[1\]: .*99/)
  await wrong({ patch: 'other', layer: 0, positions: [0] }, /edits\[1\]: positions: expected \[position here/)
  await wrong({ patch: [], layer: 0, positions: [[0, 0]] }, /edits\[1\]: the other text has no tokens/)
  await wrong({ cut: { layer: 0, key: 0 } }, /edits\[1\]: cut: query: required/)
  const many = Array.from({ length: 2000 }, (_, at) => at)
  await wrong({ cut: { layer: 0, query: many, key: many } }, /edits\[1\]: cut: 4000000 pairs/)
  await wrong({ cut: { layer: 0, query: 1, keys: 0 } }, /edits\[1\]: cut has no option "keys"/)
  await rejectsWith(
    'invalid-argument',
    /edits\[2\].layer: 99 is out of range/,
    model.logits(ids, {
      edits: [
        {
          patch: 'other',
          layer: 0,
          positions: [
            [1, 0],
            [2, 1],
          ],
        },
        cut,
        { add: new Float32Array(width), layer: 99 },
      ],
    }),
  )
  await wrong({ steer: 1 }, /edits\[1\] has no option "steer"/)
  await wrong(5, /edits\[1\]: expected an object/)
  await rejectsWith('invalid-argument', /edits: expected an array of edits/, model.logits(ids, { edits: {} }))
  await rejectsWith('invalid-argument', /adapters: a: expected a number/, model.logits(ids, { adapters: { a: '1' } }))
  await model.dispose()
})

test('hostile edits: a million of them, numbers that overflow, and places beyond the text are errors, or change nothing where a text may grow', async () => {
  await withModel(undefined, { threads: 1 }, async model => {
    const { width, layers, heads } = model.info
    const ids = [1, 5, 9, 7],
      plain = (await model.logits(ids)).slice()
    const nothing = { add: new Float32Array(width), layer: 0, positions: [1e6, 2 ** 31 - 1] }
    const cut = { cut: { layer: 0, query: 2 ** 31 - 1, key: 0 } }
    const texts = await Promise.all([[], [nothing, cut]].map(edits => model.generate(ids, { edits, temperature: 0, maxTokens: 4 })))
    assert.equal(texts[0].text, texts[1].text)
    for (const edit of [
      nothing,
      cut,
      { patch: [1, 2], layer: 0, positions: [[4, 0]] },
      { head: [0, 0], scale: 0, positions: [4] },
    ]) {
      await rejectsWith(
        'invalid-argument',
        /edits\[0\]: position \d+ is out of range for 4 tokens/,
        model.logits(ids, { edits: [edit] }),
      )
    }
    const million = Array(1e6).fill({ head: [0, 0], scale: 1 })
    const many = await model.logits(ids, { edits: million }).catch(error => error)
    if (many instanceof Error) assert.match(many.code, /^(invalid-argument|out-of-memory)$/)
    else assert.deepEqual(many, plain, 'times 1')
    for (const [edit, message] of [
      [{ add: new Float32Array(width), layer: 0, scale: NaN }, /edits\[0\].*scale/],
      [{ add: new Float32Array(width), layer: 0, scale: 1e300 }, /edits\[0\].*(scale|factor|finite)/],
      [{ head: [0, 0], scale: -Infinity }, /edits\[0\].*(scale|factor|finite)/],
      [{ head: [layers, 0], scale: 0 }, /edits\[0\]/],
      [{ head: [0, 2 ** 40], scale: 0 }, /edits\[0\]: head/],
      [{ replace: Array(heads * 1e5).fill(0), layer: 0 }, /edits\[0\].*numbers, expected/],
      [{ add: new Float32Array(width), layer: -2 }, /edits\[0\]: layer/],
      [{ add: new Float32Array(width), layer: 0, positions: [0.5] }, /edits\[0\]: positions/],
      [{ add: new Float32Array(width), layer: 0, positions: [-1 - ids.length] }, /edits\[0\]: position -\d+ is out of range for/],
      [{ cut: { layer: 0, query: [0.5], key: 0 } }, /edits\[0\]: cut: query/],
    ])
      await rejectsWith('invalid-argument', message, model.logits(ids, { edits: [edit] }))
    for (const huge of [
      { add: new Float32Array(width).fill(3e38), layer: 1, scale: 3e38 },
      { head: [0, 0], scale: 3.4e38 },
    ]) {
      const others = model.generate(ids, { temperature: 0, maxTokens: 4 })
      const overflows = [
        () => model.generate(ids, { maxTokens: 3, edits: [huge] }),
        () => model.logits(ids, { edits: [huge] }),
        () => model.hidden(ids, { edits: [huge] }),
      ]
      for (const call of overflows) await rejectsWith('invalid-argument', /^edits: make numbers too large to compute with/, call)
      assert.equal((await others).text, texts[0].text)
    }
    assert.deepEqual(await model.logits(ids), plain, 'and others are what they were')
  })
})

test('positions of edits count from the end, of texts that are written from the end of the prompt', () =>
  withModel(undefined, { threads: 1 }, async model => {
    const ids = await model.tokenize('Once upon a time, there was a')
    const { length } = ids
    const { width } = model.info
    const vector = Float32Array.from({ length: width }, (_, index) => (index % 7) - 3)
    const pairs = [
      [
        { add: vector, layer: 1, positions: [-2] },
        { add: vector, layer: 1, positions: [length - 2] },
      ],
      [
        { at: 'mlp.1.out', scale: 0, positions: [-1] },
        { at: 'mlp.1.out', scale: 0, positions: [length - 1] },
      ],
      [{ cut: { layer: 1, query: -1, key: [-2, 0] } }, { cut: { layer: 1, query: length - 1, key: [length - 2, 0] } }],
      [
        { patch: 'Once upon a dog', layer: 1, positions: [[-1, -1]] },
        { patch: 'Once upon a dog', layer: 1, positions: [[length - 1, (await model.tokenize('Once upon a dog')).length - 1]] },
      ],
    ]
    const plain = await model.logits(ids)
    const write = options => model.generate(ids, { temperature: 0, maxTokens: 6, topLogprobs: 1, ...options })
    const session = await model.session()
    for (const [fromEnd, from0] of pairs) {
      const logits = await model.logits(ids, { edits: [fromEnd] })
      assert.deepEqual(logits, await model.logits(ids, { edits: [from0] }))
      assert.notDeepEqual(logits, plain)
      const { tokens } = await write({ edits: [fromEnd] })
      assert.deepEqual(tokens, (await write({ edits: [from0] })).tokens)
      await session.append(ids.slice(0, 3))
      const later = await session.generate(ids.slice(3), { temperature: 0, maxTokens: 6, topLogprobs: 1, edits: [fromEnd] })
      if (fromEnd.add || fromEnd.at) assert.deepEqual(later.tokens, tokens)
      await session.truncate(0)
    }
    await rejectsWith(
      'invalid-argument',
      /edits\[0\]: position -99 is out of range/,
      write({ edits: [{ ...pairs[0][0], positions: [-99] }] }),
    )
  }))

test('hostile adapters and vectors: numbers that are not finite, ranks that no file has', async () => {
  await withModel(undefined, { threads: 1 }, async model => {
    const { width, architecture } = model.info
    const adapter = tensors =>
      ggufFile(
        {
          'general.architecture': ['string', architecture],
          'general.type': ['string', 'adapter'],
          'adapter.type': ['string', 'lora'],
        },
        tensors,
      )
    const name = 'blk.0.attn_q.weight'
    const pair = (a, b, values = count => new Float32Array(count)) => [
      { name: `${name}.lora_a`, shape: a, values: values(a[0] * a[1]) },
      { name: `${name}.lora_b`, shape: b, values: values(b[0] * b[1]) },
    ]
    await rejectsWith(
      'invalid-file',
      /lora_a.*not finite/,
      model.loadAdapter('nan', adapter(pair([2, width], [width, 2], count => new Float32Array(count).fill(NaN)))),
    )
    await rejectsWith('invalid-file', /rank|shape/, model.loadAdapter('ranks', adapter(pair([2, width], [width, 3]))))
    const promised = adapter(pair([2, width], [width, 2]))
    for (let at = promised.indexOf('lora_a') + 6 + 4, dimension = 0; dimension < 2; dimension++)
      promised.writeBigUInt64LE(1n << 31n, at + 8 * dimension)
    await rejectsWith('invalid-file', /./, model.loadAdapter('promised', promised))
    await model.loadAdapter('wide', adapter(pair([1000, width], [width, 1000]))) // more than the matrix: of no use, but of no harm
    assert.deepEqual(await model.logits([1, 2, 3], { adapters: { wide: 1 } }), await model.logits([1, 2, 3]))
    for (const scale of [NaN, Infinity, 1e300]) {
      await rejectsWith('invalid-argument', /scale|finite|number/, model.logits([1], { adapters: { wide: scale } }))
    }
    const vector = ggufFile({ 'general.architecture': ['string', 'controlvector'] }, [
      { name: 'direction.1', shape: [width], values: new Float32Array(width).fill(Infinity) },
    ])
    await rejectsWith('invalid-file', /direction.1.*not finite/, model.controlVector(vector))
    const far = await model.controlVector(controlVectorFile(model.info, [1, 4000000000]))
    assert.deepEqual(
      far.map(({ layer }) => layer),
      [1],
    )
  })
})
