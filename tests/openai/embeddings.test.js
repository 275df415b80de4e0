// embeddings.create and models.list, with Heed's own client and with OpenAI's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heedFetch, openai } from 'heed/openai'
import { withModel } from '../package/support.mjs'
import { goldenBytes } from '../support/golden.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { asked, openaiOver, withClients } from './support.mjs'

const texts = ['a b', 'a b c', 'd']
const withEncoder = body => withClients(goldenBytes('bert'), body)

test('embeds texts as vectors of length 1', () =>
  withEncoder(async (client, model) => {
    const vectors = (await model.embed(texts, { normalize: true })).map(vector => [...vector])
    const { usage, ...rest } = await client.embeddings.create({ model: 'bert', input: texts, encoding_format: 'float' })
    assert.deepEqual(rest, {
      object: 'list',
      model: 'bert',
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    })
    const tokens = (await Promise.all(texts.map(text => model.tokenize(text)))).flat().length
    assert.deepEqual(usage, { prompt_tokens: tokens, total_tokens: tokens })
    const one = await client.embeddings.create({ model: 'bert', input: 'a b', dimensions: vectors[0].length })
    assert.deepEqual(one.data, [{ object: 'embedding', index: 0, embedding: vectors[0] }])
    const cut = await client.embeddings.create({ model: 'bert', input: 'a b', dimensions: 5 })
    assert.deepEqual(cut.data[0].embedding, [...(await model.embed(['a b'], { dimensions: 5, normalize: true }))[0]])
  }))

test('embeds token ids', () =>
  withEncoder(async (client, model) => {
    const ids = await Promise.all(texts.map(text => model.tokenize(text)))
    const { data } = await client.embeddings.create({ model: 'bert', input: texts })
    assert.deepEqual((await client.embeddings.create({ model: 'bert', input: ids })).data, data)
    const one = await client.embeddings.create({ model: 'bert', input: ids[1] })
    assert.deepEqual(one.data[0].embedding, data[1].embedding)
    assert.equal(one.usage.prompt_tokens, ids[1].length)
  }))

test('base64 encodes the bytes of the floats', () =>
  withEncoder(async (client, model) => {
    const [vector] = await model.embed(['a b'], { normalize: true })
    const {
      data: [{ embedding }],
    } = await client.embeddings.create({ model: 'bert', input: 'a b', encoding_format: 'base64' })
    assert.equal(embedding, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'))
  }))

test('a client of several models uses the one that is named', () =>
  withModel(goldenBytes('bert'), { threads: 1 }, encoder =>
    withModel(scriptedModel(['Hello.']), { threads: 1 }, async writer => {
      for (const client of [openai({ writer, encoder }), openaiOver({ writer, encoder })]) {
        const { data } = await client.models.list()
        assert.deepEqual(
          data.map(({ id, object, owned_by }) => [id, object, owned_by]),
          ['writer', 'encoder'].map(id => [id, 'model', 'heed']),
        )
        assert.ok(data.every(({ created }) => Math.abs(created - Date.now() / 1000) < 60))
        const answer = await client.chat.completions.create(asked({ model: 'writer' }))
        assert.deepEqual([answer.choices[0].message.content, answer.model], ['Hello.', 'writer'])
        assert.equal((await client.embeddings.create({ model: 'encoder', input: 'a' })).model, 'encoder')
        assert.equal((await client.models.retrieve('encoder')).id, 'encoder')
        await assert.rejects(async () => client.models.retrieve('other'), { param: 'model', message: /known: writer, encoder/ })
        for (const model of ['other', undefined]) {
          await assert.rejects(
            async () => client.chat.completions.create(asked({ model })),
            error => error.param === 'model' && /known: writer, encoder/.test(error.message),
          )
        }
        await assert.rejects(async () => client.embeddings.create({ model: 'writer', input: 'a' }), /no encoder|embed/)
      }
    }),
  ))

test('a single model reports its own name, and accepts any', () =>
  withEncoder(async client => {
    assert.deepEqual(
      (await client.models.list()).data.map(({ id }) => id),
      ['bert'],
    )
    assert.equal((await client.models.retrieve('text-embedding-3-small')).id, 'bert')
    assert.equal((await client.embeddings.create({ model: 'text-embedding-3-small', input: 'a' })).model, 'bert')
  }))

test('a client needs a model', () =>
  withModel(undefined, { threads: 1 }, async model => {
    for (const wrong of [undefined, null, {}, { a: 5 }, { a: undefined }, 'model', await model.session()]) {
      for (const make of [openai, heedFetch]) assert.throws(() => make(wrong), /expected a model/)
    }
  }))
