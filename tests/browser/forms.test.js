// Constrained texts in a page: every module enforces the constraint, and the same seed gives the same text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forcing } from '../package/support.mjs'
import { modules, useBrowser } from './support.mjs'

const { sites, inPage } = useBrowser()

const write = async options => {
  const model = await heed.loadModel(undefined, { threads: 2, ...options })
  const jsonSchema = {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'legs'],
    properties: { name: { type: 'string', maxLength: 20 }, legs: { type: 'integer', minimum: 0, maximum: 8 } },
  }
  const constraint = await model.compile({ jsonSchema, whitespace: 'compact' })
  const { text, parsed, finishReason } = await model.generate('A fox: ', { constraint, seed: 5, temperature: 1.2 })
  const { text: answer } = await model.chat([{ role: 'user', content: 'Yes or no?' }], { choices: ['yes', 'no'], seed: 1 })
  const refused = await model.generate('A fox: ', { regex: '(' }).catch(({ code }) => code)
  const accepted = await constraint.accepts(text)
  await model.dispose()
  return { text, parsed, finishReason, answer, refused, accepted }
}

test('a text has its form, the same in every module, with and without threads', async () => {
  const results = []
  for (const site of [sites.isolated, sites.open])
    for (const name of modules) results.push(await inPage(site, write, forcing(name)))
  for (const { text, parsed, finishReason, answer, refused, accepted } of results) {
    assert.deepEqual([Object.keys(parsed), finishReason, refused, accepted], [['name', 'legs'], 'stop', 'invalid-argument', true])
    assert.ok(Number.isInteger(parsed.legs) && parsed.legs >= 0 && parsed.legs <= 8 && ['yes', 'no'].includes(answer))
    assert.equal(text, results[0].text)
  }
})
