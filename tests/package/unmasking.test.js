// Texts by models of masked diffusion, and the gates of layers with a factor for each channel, with tiny random models.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { newerFamily } from '../support/newer_families.mjs'
import { rejectsWith, withModel } from './support.mjs'

const mask = 5
const masked = name =>
  newerFamily(name, { 'tokenizer.ggml.mask_token_id': ['u32', mask], 'diffusion.shift_logits': ['bool', false] })
const best = row => row.indexOf(Math.max(...row.map((logit, id) => (id === mask ? -Infinity : logit))))

test('generate replaces masks, the most certain first, as the logits say', () =>
  withModel(masked('llada'), {}, async model => {
    const { generates, embeds, maskToken } = model.info
    assert.deepEqual([generates, embeds, maskToken.id], [false, true, mask])
    const prompt = await model.tokenize('the hen')
    const steps = []
    const options = { maxTokens: 6, temperature: 0, stopAtEnd: false, onUnmasked: step => steps.push(step) }
    const { tokens, text, finishReason, timings } = await model.generate(prompt, options)
    assert.deepEqual([tokens.length, finishReason, timings.generatedTokens], [6, 'length', 6])
    assert.equal(text, tokens.map(token => token.text).join(''))
    assert.equal(
      text,
      await model.detokenize(
        tokens.map(token => token.id),
        { tidySpaces: false },
      ),
    )

    const ids = [...prompt, ...Array(6).fill(mask)]
    let passes = 0
    const size = model.info.vocabulary
    while (ids.includes(mask)) {
      const logits = await model.logits(ids, { positions: 'all' })
      const places = ids.flatMap((id, at) => (id === mask ? [at] : []))
      const found = places.map(at => {
        const row = logits.subarray(at * size, (at + 1) * size)
        const sum = row.reduce((total, logit) => total + Math.exp(logit), 0)
        return { at, id: best(row), share: Math.exp(row[best(row)]) / sum }
      })
      const most = Math.max(...found.map(({ share }) => share))
      const replaced = found.filter(({ share }) => share === most || share >= 0.9)
      for (const { at, id } of replaced) ids[at] = id
      const step = steps[passes++]
      assert.deepEqual([step.places, step.end], [6, 6])
      assert.deepEqual(
        step.tokens.map(({ place, id }) => [place, id]),
        replaced.map(({ at, id }) => [at - prompt.length, id]),
      )
      step.tokens.forEach(({ text, id, logprob }, i) => {
        assert.equal(text, tokens.find(token => token.id === id).text)
        assert.ok(Math.abs(Math.exp(logprob) - replaced[i].share) < 1e-4)
      })
    }
    assert.equal(steps.length, passes)
    assert.deepEqual(
      tokens.map(token => token.id),
      ids.slice(prompt.length),
    )
  }))

test('a text longer than a block, by a seed; it ends at a stop string or a token, without what follows', () =>
  withModel(masked('dream'), { contextLength: 80 }, async model => {
    const options = { maxTokens: 40, temperature: 2, topK: 0, topP: 1, minP: 0, seed: 7, stopAtEnd: false }
    const whole = await model.generate('the hen', options)
    assert.equal(whole.tokens.length, 40)
    assert.deepEqual(await model.generate('the hen', options).then(({ text }) => text), whole.text)
    assert.notEqual((await model.generate('the hen', { ...options, seed: 8 })).text, whole.text)
    const stop = whole.text.slice(10, 13)
    const cut = await model.generate('the hen', { ...options, stop })
    assert.deepEqual([cut.text, cut.finishReason], [whole.text.slice(0, whole.text.indexOf(stop)), 'stop'])
    const full = await model.generate('the hen', { ...options, maxTokens: 500 })
    assert.equal(full.finishReason, 'context')
  }))

test('an abort ends it, and what needs a text from left to right is refused by name', async () => {
  const model = await loadModel(masked('llada'))
  const controller = new AbortController()
  const generation = model.generate('the hen', { maxTokens: 100, temperature: 0, signal: controller.signal })
  for await (const _ of generation) controller.abort()
  assert.equal((await generation).finishReason, 'abort')
  await rejectsWith('unsupported', /has no constraint/, model.generate('the', { regex: 'a+' }).result)
  await rejectsWith('unsupported', /has no topLogprobs/, model.generate('the', { topLogprobs: 2 }).result)
  await rejectsWith('unsupported', /has no attention/, model.generate('the', { attention: {} }).result)
  await rejectsWith('unsupported', /generate/, model.session())
  await rejectsWith('context-overflow', /tokens/, model.generate(Array(model.info.contextLength + 1).fill(8)).result)
  assert.equal((await model.generate('the', { maxTokens: 2, stopAtEnd: false })).tokens.length, 2)
  await model.dispose()
})

test('gates are the means of what a trace has of each channel; edits of it by patch and mean take a head’s own', () =>
  withModel(newerFamily('rwkv7'), {}, async model => {
    const text = 'the hen and the fox'
    const { decay, write, tokens } = await model.gates(text, { layers: [1] })
    const { tensors } = await model.trace(text, { points: ['gate.1.decay', 'gate.1.write'] })
    for (const [tensor, heads] of [
      [tensors[0], decay[0]],
      [tensors[1], write[0]],
    ]) {
      assert.deepEqual(tensor.axes, ['head', 'token', 'channel'])
      const [count, length, channels] = tensor.shape
      assert.deepEqual([count, length, tensor.data.length], [model.info.recurrentHeads, tokens.length, count * length * channels])
      heads.forEach((values, head) =>
        values.forEach((value, token) => {
          const all = tensor.data.subarray((head * length + token) * channels, (head * length + token + 1) * channels)
          assert.ok(Math.abs(value - all.reduce((sum, one) => sum + one, 0) / channels) < 1e-6)
        }),
      )
    }
    const [, length, channels] = tensors[0].shape
    const edits = [{ at: 'gate.1.decay', patch: text, positions: [[2, 4]] }]
    const edited = await model.trace(text, { points: ['gate.1.decay'], edits })
    const row = (tensor, head, token) =>
      tensor.data.slice((head * length + token) * channels, (head * length + token + 1) * channels)
    for (let head = 0; head < model.info.recurrentHeads; head++) {
      assert.deepEqual(row(edited.tensors[0], head, 2), row(tensors[0], head, 4))
      assert.deepEqual(row(edited.tensors[0], head, 3), row(tensors[0], head, 3))
    }
    const averaged = await model.trace(text, { points: ['gate.1.decay'], edits: [{ at: 'gate.1.decay', mean: text, heads: [1] }] })
    assert.deepEqual(row(averaged.tensors[0], 1, 0), row(averaged.tensors[0], 1, 5))
    assert.deepEqual(row(averaged.tensors[0], 0, 0), row(tensors[0], 0, 0))
  }))
