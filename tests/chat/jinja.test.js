// Jinja compared with Python's: small templates and their results in the reference (make/probes.py).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChatTemplate, promptText } from 'heed/chat'
import { ownJson } from './support.mjs'

const { variables, probes } = ownJson('probes')

const options = { ...variables, now: '2026-03-05T09:07:03', adapt: false }

/** Jinja finds unknown filters and tests before rendering, which makes it another kind of error. */
const kindOf = kind => (kind === 'TemplateAssertionError' ? 'TemplateRuntimeError' : kind)

for (const { template, text, kind, message } of probes) {
  test(`as in Jinja: ${template}`, () => {
    const render = () => promptText(new ChatTemplate(template).render([], options))
    if (kind === undefined) return assert.equal(render(), text)
    assert.throws(render, error => {
      assert.equal(error.code, 'template')
      assert.equal(error.kind, kindOf(kind), error.message)
      if (message !== undefined)
        assert.ok(error.message.startsWith(message.replace(/\.$/, '')), `${error.message}\nis not\n${message}`)
      return true
    })
  })
}

test('errors have a line number, and raise_exception keeps its message', () => {
  const render = source => () => new ChatTemplate(source).render([])
  assert.throws(render('a\n\n{{ nope.x }}'), { message: "'nope' is undefined (line 3 of the chat template)", line: 3 })
  assert.throws(render('a\n{{ raise_exception("Only one!") }}'), { kind: 'raise_exception', message: 'Only one!', line: 2 })
  assert.throws(() => new ChatTemplate('a\n{% if %}'), { code: 'template', kind: 'TemplateSyntaxError', line: 2 })
})

test('numbers of any size, and 1.0 distinct from 1', () => {
  const source = '{{ a }} {{ a | tojson }} {{ messages[0].tool_calls[0].function.arguments.items() | list }}'
  const call = { function: { name: 'f', arguments: '{"x": 1.0, "y": 12345678901234567890, "z": 1e-7}' } }
  const text = promptText(new ChatTemplate(source).render([{ role: 'assistant', tool_calls: [call] }], { a: 2n ** 70n }))
  assert.equal(text, "1180591620717411303424 1180591620717411303424 [('x', 1.0), ('y', 12345678901234567890), ('z', 1e-07)]")
})
