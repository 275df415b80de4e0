// model.findHeads: planted heads have their expected scores, and the bundled model's known heads are found.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { findHeads } from '../../dist/lab.node.js'
import { inRoot } from '../../tools/paths.mjs'
import { goldenFile, goldenNames, golden } from '../support/golden.mjs'
import { needsShared, rejectsWith, sharedFile, withModel } from './support.mjs'

const kinds = ['previousToken', 'duplicateToken', 'induction', 'firstToken']
let model
before(async () => {
  model = await loadModel()
})
after(() => model.dispose())

const best = (heads, kind) => heads.reduce((most, head) => (head[kind] > most[kind] ? head : most))

test('finds the heads that the training of the bundled model is known to have formed', async () => {
  const known = JSON.parse(readFileSync(inRoot('models/heed-stories.heads.json'), 'utf8'))
  const place = ({ layer, head }) => [layer, head]
  const named = name => place(known.find(({ kind }) => kind === name))
  const heads = await model.findHeads()
  assert.deepEqual(
    heads.map(place),
    Array.from({ length: model.info.layers * model.info.heads }, (_, index) => [
      Math.floor(index / model.info.heads),
      index % model.info.heads,
    ]),
  )
  assert.deepEqual(place(best(heads, 'previousToken')), named('previous'))
  assert.ok(best(heads, 'previousToken').previousToken > 0.8)
  // Two heads attend to the token after the last occurrence, and stand out: one is better on random tokens, the other in stories.
  const [first, second, third] = heads.toSorted((one, other) => other.induction - one.induction)
  assert.ok(
    first.induction > 0.5 && second.induction > 0.4 && third.induction < second.induction - 0.2,
    JSON.stringify([first, second, third]),
  )
  assert.ok(
    [first, second].some(head => `${place(head)}` === `${named('repeated')}`),
    JSON.stringify([first, second]),
  )
  for (const head of heads) for (const kind of kinds) assert.ok(head[kind] >= 0 && head[kind] <= 1)
})

test('heads that are made to look at one key have the scores of their kind', async () => {
  const length = 8,
    begin = (await model.tokenize('')).length,
    size = begin + 2 * length
  const positions = Array.from({ length: size }, (_, at) => at)
  /** Of each query the one key that the head sees; the others are cut. */
  const seeing = (head, keyOf) =>
    positions.flatMap(query => {
      const key = positions.filter(at => at <= query && at !== Math.max(keyOf(query), 0))
      return key.length > 0 ? [{ cut: { layer: 2, head, query, key } }] : []
    })
  const edits = [
    ...seeing(0, query => query - 1),
    ...seeing(1, query => query - length),
    ...seeing(2, query => query - length + 1),
    ...seeing(3, () => 0),
  ]
  const scores = (await model.findHeads({ length, edits, sequences: 2 })).filter(({ layer }) => layer === 2)
  /** The share of queries of the one kind that see a key of the other. */
  const share = (keyOf, otherOf, from = begin + length) => {
    const queries = positions.slice(Math.max(from, 1))
    return queries.filter(query => Math.max(keyOf(query), 0) === otherOf(query)).length / queries.length
  }
  const keys = [query => query - 1, query => query - length, query => query - length + 1, () => 0]
  scores.forEach((head, index) =>
    kinds.forEach((kind, at) => {
      const expected = share(keys[index], keys[at], [begin, begin + length, begin + length, begin][at])
      assert.ok(Math.abs(head[kind] - expected) < 1e-6, `${kinds[index]}, scored as ${kind}: ${head[kind]}, and not ${expected}`)
    }),
  )
})

test('reads random sequences of ordinary tokens, each twice, the same for the same seed', async () => {
  const read = []
  const connection = {
    async call({ type, prompt, ids, ...rest }) {
      if (type === 'attention') {
        read.push(prompt.parts[0].ids)
        const { tokens, weights } = await model.attention(prompt.parts, { layers: rest.asked.layers })
        return { tokens, weights: Float32Array.from(weights.flat().flatMap(map => [...map])) }
      }
      return type === 'tokenize' ? model.tokenize(prompt, { addSpecial: rest.addSpecial }) : model.detokenize(ids)
    },
  }
  const search = { sequences: 3, seed: 7 }
  const heads = await findHeads(connection, model.info, search)
  assert.equal(read.length, 3)
  for (const ids of read) {
    const once = ids.slice(0, 50)
    assert.deepEqual(ids, [...once, ...once])
    assert.equal(new Set(once).size, 50)
    for (const id of once)
      assert.ok((await model.tokenize(await model.detokenize([id]), { addSpecial: false })).includes(id), `${id}`)
  }
  assert.notDeepEqual(read[0], read[1])
  assert.deepEqual(await model.findHeads(search), heads)
  assert.notDeepEqual(await model.findHeads({ ...search, seed: 8 }), heads)
})

for (const name of goldenNames.filter(one => golden(one)?.kind === 'decoder')) {
  test(`works for ${name}`, () =>
    withModel(goldenFile(name), { threads: 1 }, async other => {
      const heads = await other.findHeads({ sequences: 1 })
      const { weights } = await other.attention([0, 1], {})
      const attending = weights.flatMap((maps, layer) => maps.flatMap((map, head) => (map[0] > 0 ? [[layer, head]] : [])))
      assert.deepEqual(
        heads.map(({ layer, head }) => [layer, head]),
        attending,
        'layers without attention are absent',
      )
      for (const head of heads)
        for (const kind of kinds) assert.ok(head[kind] >= 0 && head[kind] <= 1 + 1e-6, `${kind}: ${head[kind]}`)
    }))
}

test('a layer with a window does not see earlier copies outside it', needsShared, () =>
  withModel(sharedFile('oracle', 'models', 'gemma2.gguf'), { threads: 1 }, async other => {
    const heads = await other.findHeads({ length: 40, sequences: 1 })
    assert.ok(
      heads.some(({ duplicateToken }) => duplicateToken === 0),
      'where the window ends before the copy',
    )
    assert.ok(
      heads.some(({ duplicateToken }) => duplicateToken > 0),
      'where there is none',
    )
  }),
)

test('models without a decoder, or with an encoder, are refused', async () => {
  for (const name of ['bert', 't5', 'vit']) {
    await withModel(goldenFile(name), { threads: 1 }, other =>
      rejectsWith('unsupported', /findHeads: .*only for decoders alone/, other.findHeads()),
    )
  }
})

test('can be aborted, and says what is too long', async () => {
  const stop = new AbortController()
  const long = model.findHeads({ sequences: 1000, signal: stop.signal })
  await model.logits([1])
  stop.abort()
  await rejectsWith('aborted', /./, long)
  await rejectsWith('aborted', /./, model.findHeads({ signal: AbortSignal.abort() }))
  await rejectsWith('context-overflow', /findHeads: \d+ tokens do not fit/, model.findHeads({ length: model.info.contextLength }))
  await withModel(goldenFile('llama-gqa'), { threads: 1 }, small =>
    rejectsWith(
      'invalid-argument',
      /findHeads: length: the vocabulary has only \d+ tokens/,
      small.findHeads({ length: small.info.vocabulary }),
    ),
  )
})
