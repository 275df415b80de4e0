// Every filter, test, function and method of Jinja, and of Python's texts, lists and dicts, compared with Python's (make/builtins.py).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'
import { ownJson } from './support.mjs'

const { variables, leftOut, probes } = ownJson('builtins')
const options = { ...variables, now: '2026-03-05T09:07:03', adapt: false }

for (const { of, name, template, text, kind } of probes) {
  test(`${of}, ${name}: ${template}`, () => {
    const render = () => promptText(new ChatTemplate(template).render([], options))
    if (kind === undefined) assert.equal(render(), text)
    else assert.throws(render, { code: 'template', kind })
  })
}

test('missing builtins are errors that name them', () => {
  assert.deepEqual(leftOut, ['encode', 'lipsum', 'pprint', 'random', 'urlize'])
  for (const name of ['pprint', 'random', 'urlize'])
    assert.throws(() => new ChatTemplate(`{{ [1] | ${name} }}`).render([]), { message: new RegExp(name) })
  assert.throws(() => new ChatTemplate('{{ "a".encode() }}').render([]), { message: /encode/ })
  assert.throws(() => new ChatTemplate('{{ lipsum() }}').render([]), { message: /lipsum/ })
})
