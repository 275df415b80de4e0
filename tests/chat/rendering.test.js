// `renderAsync` and the capabilities of a model's template: both run the template in a worker, because a file may come from anyone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TemplateError } from 'heed/chat'
import { rejectsWith, withModel } from '../package/support.mjs'
import { scriptedModel, scriptedTemplate } from '../support/scripted_model.mjs'
import { ownJson, sharedTemplates, tools, user } from './support.mjs'

const withTemplate = (template, body) => withModel(scriptedModel(['An answer.'], { template }), { threads: 1 }, body)

/** Counts how often a template begins to run in this thread: it looks at the clock first. */
const runsHere = t => t.mock.method(performance, 'now').mock

const doubled = (first, next) => `{% set ns = namespace(v=${first}) %}{% for i in range(99) %}{% set ns.v = ${next} %}{% endfor %}`
const hostile = {
  'deep calls': '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
  'deep lists': '{% set ns = namespace(v=[]) %}{% for i in range(9999) %}{% set ns.v = [ns.v] %}{% endfor %}{{ ns.v }}',
  'deep loops': '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}',
  'wide loops': '{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}',
  'wide texts': '{{ "x" * 10 ** 10 }}',
  'wide numbers': '{{ "%1000000000d" % 1 }}',
  'exponential calls': '{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}',
  'exponential texts': `${doubled('"x"', 'ns.v ~ ns.v')}{{ ns.v }}`,
  'exponential lists': `${doubled('[1]', '[ns.v, ns.v]')}{{ ns.v | tojson }}`,
  'exponential comparisons': `${doubled('[1]', '[ns.v, ns.v]')}{{ ns.v == [ns.v[0], ns.v[1]] }}{{ ns.v }}`,
}

test("hostile templates end with an error, and none runs in the caller's thread", t =>
  withTemplate(scriptedTemplate, async model => {
    const here = runsHere(t)
    for (const [name, jinja] of Object.entries(hostile)) {
      const template = await model.chatTemplate({ jinja })
      assert.equal(Object.values(template.info.supports).some(Boolean), false, name)
      await assert.rejects(template.renderAsync([user('Hi')]), error => {
        assert.ok(error instanceof TemplateError, `${name}: ${error.stack}`)
        assert.match(error.kind, /SecurityError|OverflowError/, name)
        return true
      })
    }
    assert.equal(here.callCount(), 0)
    const template = await model.chatTemplate({ jinja: hostile['wide loops'] })
    assert.throws(() => template.render([user('Hi')]), { kind: 'SecurityError' })
    assert.ok(here.callCount() > 0)
  }))

test("hostile files: the same for a model's own template", t =>
  withTemplate(hostile['exponential lists'], async model => {
    const here = runsHere(t)
    const template = await model.chatTemplate()
    await rejectsWith('template', /was stopped/, template.renderAsync([user('Hi')]))
    await rejectsWith('template', /was stopped/, model.chat([user('Hi')]))
    assert.equal(here.callCount(), 0)
  }))

test('renders as `render` does', () =>
  withTemplate(scriptedTemplate, async model => {
    const conversations = [
      [[user('Hi')], {}],
      [[user('Hi'), { role: 'assistant', content: 'Yes' }], { continueFinal: true }],
      [
        [{ role: 'system', content: 'Be brief.' }, user([{ type: 'text', text: 'Hi' }])],
        { tools, addGenerationPrompt: false, think: false },
      ],
      [[user('Hi')], { now: new Date(0), topic: { n: 2n ** 70n, list: [1, null, 'x'] } }],
    ]
    const sources = [
      scriptedTemplate,
      '{{ strftime_now("%Y") }}{{ topic }}',
      ...ownJson('probes')
        .probes.slice(0, 5)
        .map(({ template }) => template),
      ...sharedTemplates()
        .map(({ source }) => source)
        .slice(0, 20),
    ]
    const outcome = async render => {
      try {
        return await render()
      } catch ({ code, message, kind, line }) {
        return { code, message, kind, line }
      }
    }
    for (const jinja of sources) {
      const template = await model.chatTemplate({ jinja })
      for (const [messages, given] of conversations) {
        const options = { now: '2026-03-05', ...given }
        assert.deepEqual(
          await outcome(() => template.renderAsync(messages, options)),
          await outcome(() => template.render(messages, options)),
          jinja,
        )
      }
    }
  }))

/** A template that runs for longer than any test if `work` is long, because long inputs allow more steps. */
const busy = `{% if work %}{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}{% endif %}${scriptedTemplate}`
const work = 'x'.repeat(3e7)

test('an abort ends a template that runs, and one that waits; so does dispose', () =>
  withTemplate(busy, async model => {
    const template = await model.chatTemplate()
    const controller = new AbortController()
    const { signal } = controller
    const endless = template.renderAsync([user('Hi')], { work }, { signal })
    const waiting = template.renderAsync([user('Hi')], {}, { signal })
    const other = template.renderAsync([user('Hi')])
    await model.tokenize('x')
    controller.abort('enough')
    for (const rejected of [endless, waiting]) {
      await assert.rejects(rejected, error => {
        assert.deepEqual([error.code, error.cause], ['aborted', 'enough'])
        return true
      })
    }
    assert.deepEqual(await other, template.render([user('Hi')]))
    await rejectsWith('aborted', /./, template.renderAsync([user('Hi')], {}, { signal }))
    const left = template.renderAsync([user('Hi')], { work })
    await model.tokenize('x')
    await Promise.all([rejectsWith('disposed', /model/, left), model.dispose()])
    await rejectsWith('disposed', /model/, template.renderAsync([user('Hi')]))
    await rejectsWith('disposed', /model/, model.chatTemplate())
    assert.ok(template.render([user('Hi')]).length > 0)
  }))

test('arguments are copied at the call, and must be data', () =>
  withTemplate(scriptedTemplate, async model => {
    const template = await model.chatTemplate()
    const [messages, options] = [[user('Hi')], { now: new Date(0), topic: ['a'] }]
    const expected = template.render(messages, options)
    const rendering = template.renderAsync(messages, options)
    messages[0].content = 'changed'
    options.topic.push('b')
    options.now.setFullYear(1999)
    assert.deepEqual(await rendering, expected)
    const throwing = {
      get content() {
        throw new Error('hostile')
      },
    }
    const wrong = [
      [[undefined], /render: expected an array of messages/],
      [['Hi'], /render: expected an array of messages/],
      [[[5]], /message 0: expected an object/],
      [[[{ role: 'user', content: () => 1 }]], /messages\[0\]\.content: a function is not data/],
      [[[throwing]], /hostile/],
      [[[user('Hi')], 5], /render: expected an object of options/],
      [[[user('Hi')], { topic: new Map() }], /topic: a Map is not data/],
      [[[user('Hi')], { now: 'never' }], /now/],
      [[[user('Hi')], { now: new Date(NaN) }], /now/],
      [[[user('Hi')], { think: 5 }], /think/],
      [[[user('Hi')], {}, { signal: 5 }], /renderAsync: signal: expected an AbortSignal/],
      [[[user('Hi')], {}, { sginal: 5 }], /no option "sginal"/],
    ]
    for (const [given, message] of wrong) await rejectsWith('invalid-argument', message, template.renderAsync(...given))
  }))
