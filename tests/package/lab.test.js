// Inspecting a model: hidden states, the logit lens, scores, attribution; against the lab's references in ../shared/lab.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { adapterFile, controlVectorFile } from '../support/adapters.mjs'
import { differenceOf, labFiles, labModel, rowsOf } from '../support/lab.mjs'
import { forcing, modules, needsShared, rejectsWith, sharedFile, withModel } from './support.mjs'

const text = 'Once upon a time'
let model
before(async () => {
  model = await loadModel()
})
after(() => model.dispose())

const near = (actual, expected, tolerance, what) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, and not ${expected}`)
const softmaxed = row => {
  const most = Math.max(...row)
  const sum = row.reduce((total, logit) => total + Math.exp(logit - most), 0)
  return row.map(logit => logit - most - Math.log(sum))
}

for (const { name, json } of needsShared.skip ? [] : labFiles('hidden')) {
  test(`hidden states of ${name} match the reference`, needsShared, () =>
    withModel(labModel(json), { kvCache: 'f32' }, async lab => {
      const reference = rowsOf('hidden', name, json)
      const size = json.positions.length * json.n_embd
      const { layers, positions, states, tokens } = await lab.hidden(json.tokens, { positions: json.positions })
      assert.deepEqual(layers, [-1, ...Array(json.n_layers).keys()])
      assert.deepEqual(positions, json.positions)
      assert.deepEqual(
        tokens.map(token => token.id),
        json.tokens,
      )
      states.forEach((state, index) => {
        const most = Math.max(2e-5, 1.2 * (json.llama_rel[index] ?? 0))
        const difference = differenceOf(state, reference.subarray(index * size, (index + 1) * size))
        assert.ok(difference <= most, `layer ${layers[index]}: ${difference}`)
      })
    }),
  )

  test(`the lens of ${name} matches the reference`, needsShared, () =>
    withModel(labModel(json), { kvCache: 'f32' }, async lab => {
      const tolerance = Math.max(6e-4, 12 * Math.max(...json.llama_rel.map(one => one ?? 0)))
      const { layers } = await lab.lens(json.tokens, { positions: json.lens_positions, tokens: json.lens_watch })
      assert.deepEqual(
        layers.map(({ layer }) => layer),
        json.lens.map(({ layer }) => layer),
      )
      layers.forEach(({ predictions }, index) =>
        predictions.forEach(({ top, logprobs }, place) => {
          const expected = json.lens[index]
          assert.equal(top.length, 5)
          top.forEach(({ logprob }, rank) =>
            near(logprob, expected.top_logprob[place][rank], tolerance, 'the probability of the best'),
          )
          if (expected.gap[place] > 2 * tolerance)
            assert.deepEqual(
              top.map(({ id }) => id),
              expected.top[place],
            )
          logprobs.forEach((logprob, at) => near(logprob, expected.logprob[place][at], tolerance, 'that of a watched token'))
        }),
      )
    }),
  )
}

for (const { name, json } of needsShared.skip ? [] : labFiles('score')) {
  test(`scores of ${name} match the reference`, needsShared, () =>
    withModel(labModel(json), { kvCache: 'f32' }, async lab => {
      for (const { tokens, logprob, sum, mean, llama_max: most } of json.texts) {
        const score = await lab.score(tokens)
        assert.deepEqual(
          score.tokens.map(({ id }) => id),
          tokens.slice(1),
        )
        score.logProbs.forEach((value, index) => near(value, logprob[index + 1], Math.max(2e-4, 4 * most), 'a token'))
        near(score.sum, sum, Math.max(1e-3, 4 * most) * tokens.length, 'the sum')
        near(score.mean, mean, Math.max(1e-3, 4 * most), 'the mean')
        near(Math.log(score.perplexity), -score.mean, 1e-9, 'the perplexity')
      }
      const continuations = json.continuations.map(({ tokens }) => tokens)
      const bySum = await lab.score(json.context, continuations)
      assert.deepEqual(
        bySum.map(({ index }) => index),
        json.order_by_sum,
      )
      const longest = Math.max(...continuations.map(({ length }) => length)),
        most = Math.max(...json.texts.map(one => one.llama_max))
      for (const { index, sum, tokens } of bySum) {
        near(sum, json.continuations[index].sum, Math.max(1e-3, 4 * most * longest), 'a continuation')
        assert.deepEqual(
          tokens.map(({ id }) => id),
          continuations[index],
        )
      }
      const byMean = await lab.score(json.context, continuations, { by: 'mean' })
      assert.deepEqual(
        byMean.map(({ index }) => index),
        json.order_by_mean,
      )
    }),
  )
}

for (const { name, json } of needsShared.skip ? [] : labFiles('intervene').filter(({ json }) => json.attribution)) {
  test(`attribution in ${name} matches the reference, and its parts add up`, needsShared, () =>
    withModel(labModel(json), { kvCache: 'f32' }, async lab => {
      for (const expected of json.attribution) {
        const { token, position } = expected
        const parts = await lab.attribute(json.tokens, { token, position })
        const flat = ({ embedding, heads, attention_bias: bias, attentionBias = bias, mlp, constant, sum, logit }) => [
          embedding,
          ...heads.flat(),
          ...attentionBias,
          ...mlp,
          constant,
          sum,
          logit,
        ]
        const [actual, wanted] = [flat(parts), flat(expected)]
        const most = Math.max(...wanted.map(Math.abs)) * Math.max(1e-4, 20 * json.checks.plain_vs_llama)
        assert.equal(actual.length, wanted.length)
        actual.forEach((value, index) => near(value, wanted[index], most, `part ${index}`))
        near(
          actual.slice(0, -2).reduce((total, part) => total + part, 0),
          parts.sum,
          1e-9 * Math.max(1, Math.abs(parts.sum)),
          'the sum',
        )
      }
    }),
  )
}

test('states: layers in any order, positions from the end, and one buffer of the right shape', async () => {
  const all = await model.hidden(text)
  const { width, layers: count } = model.info
  assert.deepEqual(all.layers, [-1, ...Array(count).keys()])
  assert.ok(all.states.every(state => state.length === all.tokens.length * width))
  const some = await model.hidden(text, { layers: [2, -1], positions: [-1, 0] })
  assert.deepEqual(some.positions, [all.tokens.length - 1, 0])
  const row = (layer, position) => all.states[layer + 1].slice(position * width, (position + 1) * width)
  assert.deepEqual(some.states[0], Float32Array.of(...row(2, all.tokens.length - 1), ...row(2, 0)))
  assert.deepEqual(some.states[1], Float32Array.of(...row(-1, all.tokens.length - 1), ...row(-1, 0)))
})

test('no positions are none, not all', async () => {
  for (const name of modules) {
    await withModel(undefined, { ...forcing(name), threads: 1 }, async one => {
      const { positions, layers, states } = await one.hidden(text, { positions: [] })
      assert.deepEqual([positions, states], [[], layers.map(() => new Float32Array())])
      const lens = await one.lens(text, { positions: [], layers: [0, 1] })
      assert.deepEqual(
        [lens.positions, lens.layers],
        [
          [],
          [
            { layer: 0, predictions: [] },
            { layer: 1, predictions: [] },
          ],
        ],
      )
    })
  }
})

test('the lens at the last layer agrees with the model', async () => {
  const ids = await model.tokenize(text)
  const { vocabulary, layers: count } = model.info
  const logits = await model.logits(ids, { positions: 'all' })
  const { tokens, positions, layers, watched } = await model.lens(text, {
    positions: 'all',
    top: 3,
    tokens: [' there', 48],
    layers: [count - 1],
  })
  assert.deepEqual(positions, [...ids.keys()])
  assert.deepEqual(
    watched.map(token => token.text),
    [' there', await model.detokenize([48], { special: true })],
  )
  for (const position of positions) {
    const probabilities = softmaxed([...logits.subarray(position * vocabulary, (position + 1) * vocabulary)])
    const { top, logprobs } = layers[0].predictions[position]
    const best = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a]).slice(0, 3)
    assert.deepEqual(
      top.map(({ id }) => id),
      best,
    )
    for (const { id, text: one, logprob } of top) {
      near(logprob, probabilities[id], 1e-4, 'the best')
      assert.equal(one, await model.detokenize([id], { special: true }))
    }
    watched.forEach(({ id }, index) => near(logprobs[index], probabilities[id], 1e-4, 'a watched token'))
  }
  assert.equal(tokens.length, ids.length)
})

test('a score is the sum of the logarithms that logits give, over several batches', async () => {
  const ids = (await model.tokenize('the cat sat on the mat. '.repeat(40))).slice(0, model.info.contextLength)
  assert.ok(ids.length > 256)
  const logits = await model.logits(ids, { positions: 'all' })
  const { logProbs, sum, tokens } = await model.score(ids)
  assert.equal(logProbs.length, ids.length - 1)
  assert.equal(tokens.length, logProbs.length)
  let total = 0
  logProbs.forEach((value, index) => {
    const row = logits.subarray(index * model.info.vocabulary, (index + 1) * model.info.vocabulary)
    near(value, softmaxed([...row])[ids[index + 1]], 1e-3, `token ${index + 1}`)
    total += value
  })
  near(sum, total, 1e-6 * ids.length, 'the sum')
})

test('continuations are ranked, and scored as in the whole text', async () => {
  const ranked = await model.score('Once upon a', [' dog', ' time', ' time there'])
  assert.deepEqual(
    ranked.map(({ index }) => index),
    [1, 2, 0],
  )
  const whole = await model.score('Once upon a time there')
  assert.deepEqual(ranked[1].logProbs, whole.logProbs.slice(-2))
  assert.deepEqual(
    ranked[1].tokens.map(token => token.text),
    [' time', ' there'],
  )
  const { sum, mean, perplexity } = ranked[0]
  assert.deepEqual([mean, Math.abs(Math.log(perplexity) + mean) < 1e-12], [sum, true])
  assert.deepEqual(await model.score('Once', []), [])
  assert.ok(Number.isNaN((await model.score([5])).mean))
})

test('attribution adds up to the logit of the most probable token, or of a given one', async () => {
  const ids = await model.tokenize(text)
  for (const [options, id] of [
    [{}, 48],
    [{ token: ' there' }, 477],
    [{ token: 477, position: 1 }, 477],
  ]) {
    const { position, token, sum, logit, embedding, heads, attentionBias, mlp, constant } = await model.attribute(text, options)
    assert.equal(token.id, id)
    assert.equal(position, options.position ?? ids.length - 1)
    assert.deepEqual([heads.length, heads[0].length, mlp.length], [model.info.layers, model.info.heads, model.info.layers])
    const parts = [embedding, constant, ...heads.flat(), ...attentionBias, ...mlp].reduce((total, part) => total + part, 0)
    near(parts, sum, 1e-9 * Math.abs(sum), 'the sum')
    near(sum, logit, 1e-2 * Math.abs(logit), 'the logit') // products with quantized weights round their input
    assert.equal(Math.fround(logit), (await model.logits(ids.slice(0, position + 1)))[id])
  }
})

test('gives the same bits with every module and number of threads', async () => {
  const results = []
  for (const module of modules) {
    for (const threads of [1, 3]) {
      results.push(
        await withModel(undefined, { ...forcing(module), threads }, async one => {
          await one.loadAdapter('a', adapterFile(one.info))
          const changed = {
            adapters: { a: 0.5 },
            edits: [
              ...(await one.controlVector(controlVectorFile(one.info, [2]))),
              { head: [1, 2], mean: 'the fox' },
              { cut: { layer: 0, query: [2, 3], key: 1 } },
              { patch: 'Once upon a dog', layer: 3, positions: [[4, 4]] },
            ],
          }
          const { text: generated } = await one.generate(text, { ...changed, temperature: 0, maxTokens: 8 })
          return [
            generated,
            await one.hidden(text, changed),
            await one.lens(text, { ...changed, top: 2, tokens: [' there'] }),
            await one.score(text, changed),
            await one.score(text, [' there', '.'], changed),
            await one.attribute(text),
            { vector: (await one.direction([text], ['the fox'], { layer: 1 })).vector },
          ]
        }),
      )
    }
  }
  for (const result of results) assert.deepEqual(result, results[0])
})

test('errors name the problem', async () => {
  await rejectsWith(
    'invalid-argument',
    /hidden: positions: 99 is out of range for 5 tokens/,
    model.hidden(text, { positions: [99] }),
  )
  await rejectsWith('invalid-argument', /99/, model.hidden(text, { layers: [99] }))
  await rejectsWith('invalid-argument', /twice|once/, model.hidden(text, { layers: [1, 1] }))
  await rejectsWith(
    'invalid-argument',
    /lens: tokens: no token has the text " there there"/,
    model.lens(text, { tokens: [' there there'] }),
  )
  await rejectsWith(
    'invalid-argument',
    /attribute: token: 1000000 is outside the vocabulary/,
    model.attribute(text, { token: 1e6 }),
  )
  await rejectsWith('invalid-argument', /score: continuations\[1\]: has no tokens/, model.score(text, [' a', '']))
  await rejectsWith('invalid-argument', /hidden has no option "top"/, model.hidden(text, { top: 1 }))
  for (const call of ['hidden', 'lens', 'score', 'attribute']) {
    await rejectsWith('invalid-argument', /no tokens/, model[call]([]))
    await rejectsWith('context-overflow', /./, model[call](Array(model.info.contextLength + 1).fill(5)))
    await rejectsWith('aborted', /./, model[call](text, { signal: AbortSignal.abort() }))
    await rejectsWith('invalid-argument', /vocabulary/, model[call]([1, model.info.vocabulary]))
  }
})

test('models without a decoder, or with an encoder, say so', needsShared, async () => {
  for (const file of ['bert-mean.gguf', 't5.gguf']) {
    await withModel(sharedFile('oracle', 'models', file), {}, async other => {
      for (const call of ['hidden', 'lens', 'score', 'attribute']) await rejectsWith('unsupported', /./, other[call]([1, 2, 3]))
    })
  }
})
