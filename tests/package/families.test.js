// Every model family: it loads, its attention respects the mask and sums to 1, and it generates or embeds.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { newerFamily } from '../support/newer_families.mjs'
import { encoderMaySee, golden, goldenFile, goldenNames, goldenPicture, maySee } from '../support/golden.mjs'
import { needsShared, sharedFile, withModel } from './support.mjs'

/**
 * Checks every row of every head; `sees(layer, query, key)` is the mask, `sums(layer, total)` says whether a row's sum is valid.
 */
function assertRows(weights, [rows, columns], sees, sums) {
  for (const [layer, heads] of weights.entries()) {
    for (const matrix of heads) {
      assert.equal(matrix.length, rows * columns)
      for (let query = 0; query < rows; query++) {
        const row = matrix.subarray(query * columns, (query + 1) * columns)
        const total = row.reduce((sum, weight) => sum + weight, 0)
        assert.ok(sums(layer, total), `layer ${layer}, row ${query} sums to ${total}`)
        const stray = row.findIndex((weight, key) => weight !== 0 && !sees(layer, query, key))
        assert.equal(stray, -1, `layer ${layer}: row ${query} must not see column ${stray}`)
        assert.ok(row.every(weight => weight >= 0))
      }
    }
  }
}

const everything = () => true
const isOne = (_, total) => Math.abs(total - 1) < 1e-5
const causal = (_, query, key) => key <= query

async function checkDecoder(model, name, ids) {
  const { weights, tokens, keys } = await model.attention(ids)
  assert.equal(keys.length, tokens.length)
  const besideSinks = (_, total) => total > 0 && total < 1
  const sums =
    {
      'gpt-oss': besideSinks,
      granite_swa: besideSinks,
      lfm2: (layer, total) => total === 0 || isOne(layer, total), // most layers are convolutions
    }[name] ?? isOne
  assertRows(weights, [ids.length, ids.length], (...at) => maySee(name, ...at), sums)
  assert.equal(weights.flat().length, model.info.layers * model.info.heads)
  const { tokens: written } = await model.generate(ids, { maxTokens: 4, temperature: 0, stopAtEnd: false })
  assert.equal(written.length, 4)
  const logits = await model.logits(ids)
  assert.equal(written[0].id, logits.indexOf(Math.max(...logits)))
}

async function checkEncoder(model, name, ids) {
  const { weights, of } = await model.attention(ids, { of: 'encoder' })
  assert.equal(of, 'encoder')
  assertRows(weights, [ids.length, ids.length], (...at) => encoderMaySee(name, ...at), isOne)
  const [vector] = await model.embed([ids], { normalize: true, pooling: 'mean' })
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5)
}

async function checkAnswers(model, source, ids) {
  const cross = await model.attention(ids, { of: 'cross', source })
  assert.deepEqual(
    cross.keys.map(token => token.id),
    source,
  )
  assertRows(cross.weights, [ids.length, source.length], everything, isOne)
  const decoder = await model.attention(ids, { source })
  assert.equal(decoder.of, 'decoder')
  assertRows(decoder.weights, [ids.length, ids.length], causal, isOne)
  const { tokens } = await model.generate(source, { maxTokens: 4, temperature: 0, stopAtEnd: false })
  const logits = await model.logits([model.info.decoderStart], { source })
  assert.equal(tokens[0].id, logits.indexOf(Math.max(...logits)))
}

async function checkPictures(model) {
  const { patches, weights } = await model.imageAttention(goldenPicture())
  assert.equal(weights.flat().length, model.info.visionLayers * model.info.visionHeads)
  assertRows(weights, [1 + patches ** 2, 1 + patches ** 2], everything, isOne)
}

async function check(model, name, { tokens, source = tokens }) {
  const { generates, embeds, embedsImages } = model.info
  if (generates && embeds) await checkAnswers(model, source, tokens)
  else if (generates) await checkDecoder(model, name, tokens)
  if (embeds) await checkEncoder(model, name, source)
  if (embedsImages) await checkPictures(model)
}

for (const name of goldenNames) {
  test(`${name} has valid attention`, () =>
    withModel(goldenFile(name), {}, model => {
      const { tokens, decoder_tokens: written = tokens } = golden(name) ?? golden(`${name}-text`) ?? golden(`${name}-short`)
      return check(model, name, { tokens: written, source: tokens })
    }))
}

test('in lfm2, only the attention layer attends, not the convolutions', () =>
  withModel(goldenFile('lfm2'), {}, async model => {
    const { weights } = await model.attention(golden('lfm2').tokens)
    assert.deepEqual(
      weights.map(([matrix]) => matrix.some(weight => weight > 0)),
      [false, true, false],
    )
  }))

/** Larger models, named after the family, which determines their windows and sinks. */
const oracle = needsShared.skip ? [] : readdirSync(sharedFile('oracle/models')).filter(file => file.endsWith('.gguf'))
test('the models in ../shared have valid attention', needsShared, async context => {
  assert.ok(oracle.length > 0)
  for (const file of oracle) {
    await context.test(file, () =>
      withModel(sharedFile('oracle/models', file), {}, model =>
        check(model, file.replace('.gguf', ''), { tokens: [5, 9, 2, 33, 17, 8, 40, 21] }),
      ),
    )
  }
})

test('a file of RWKV names its chat template', () =>
  withModel(newerFamily('rwkv7', { 'tokenizer.chat_template': ['string', 'rwkv-world'] }), {}, async model => {
    const messages = [{ role: 'user', content: 'a hen' }]
    const template = await model.chatTemplate()
    assert.deepEqual(template.render(messages), [{ control: 'User: ' }, 'a hen', { control: '\n\nAssistant:' }])
    const { usage } = await model.chat(messages, { maxTokens: 4, temperature: 0 })
    assert.equal(usage.promptTokens, (await model.tokenize('User: a hen\n\nAssistant:')).length)
  }))
