// The cost limits of templates: each operation charges for its work in advance, so steps and memory run out before time does. The
// clock stands still in these tests, except in tests of the clock, so they do not depend on the machine's speed.
// HEED_COSTLY_TEMPLATES sets the number of generated templates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ChatTemplate, promptText } from 'heed/chat'
import { costlyTemplates } from './costly_templates.mjs'
import { chatml, user } from './support.mjs'

const count = Number(process.env.HEED_COSTLY_TEMPLATES ?? 300)

/** The clock that templates are measured with; each look at it takes `tick` milliseconds. */
let time = 0
let tick = 0
performance.now = () => (time += tick)

const render = (source, content = 'Hi') => promptText(new ChatTemplate(source).render([user(content)]))

/** Statements that make a list, a tuple or a dict `v` that contains its predecessor twice, 60 times. */
const shared = (first, next) =>
  `{% set ns = namespace(v=${first}) %}{% for i in range(60) %}{% set ns.v = ${next} %}{% endfor %}{% set v = ns.v %}`
const lists = shared('[1]', '[ns.v, ns.v]')
const tuples = shared('(1,)', '(ns.v, ns.v)')
const twice = `${tuples}{% set w = v %}${tuples}`
/** A long text, in few steps. */
const long = '{% set v = ("a" * 1000).replace("a", "a" * 1000) %}'
const often = body => `{% for i in range(99999) %}${body}{% endfor %}`

/** Each of these would take more than a second, or more than 500 MB, or not end. */
const costly = {
  'loops after a cost that is no number': '{% set x = range(10 ** 400, 10 ** 400) %}' + often(often('')),
  'replace, whose cost is beyond 32 bits': '{% set v = ("a" * 30000).replace("a", "b" * 90000) %}' + often(''),
  'tojson of shared lists': `${lists}{{ v | tojson }}`,
  'print of shared lists': `${lists}{{ v }}`,
  'print of shared dicts': `${shared('{}', '{"a": ns.v, "b": ns.v}')}{{ v }}`,
  '== of shared lists': `${lists}{% set w = v %}${lists}{{ v == w }}`,
  '< of shared tuples': `${twice}{{ v < w }}`,
  'in, of shared tuples': `${twice}{{ v in [w] }}`,
  'index of shared tuples': `${twice}{{ [w].index(v) }}`,
  'a key of shared tuples': `${tuples}{{ {v: 1} }}`,
  'unique of shared tuples': `${tuples}{{ [v] | unique | list }}`,
  '< of long texts': `${long}{% set w = v ~ "b" %}${often('{% if v < w %}{% endif %}')}`,
  'max of long texts': `${long}{{ ([v, v ~ "b"] * 4000) | max }}`,
  'sort of long texts': `${long}{{ ([v, v ~ "b"] * 4000) | sort | first }}`,
  '== of long texts': `${long}{% set w = v[1:] ~ "a" %}${often('{% if v == w %}{% endif %}')}`,
  'long keys': `${long}${often('{% set x = {}.get(v[i:]) %}')}`,
  'long names of attributes': `${long}${often('{% set x = messages[v[i:]] %}')}`,
  'length of long texts': `${long}${often('{% set x = v[i:] | length %}')}`,
  'characters of long texts': `${long}${often('{% set x = v | first %}')}`,
  'float of many digits': '{{ ("1" * 99999 ~ "x") | float }}{{ ("1" * 99999).replace("1", "1" * 9) | float }}',
  'search for a text with periods': `${long}{{ ("b" ~ "a" * 9999) in v }}`,
  'search from the end': `${long}{{ v.rfind("a" * 9999 ~ "b") }}`,
  'strip of many characters': `${long}${often('{% set x = v.strip(v) %}')}`,
  'split into characters': `${long}{{ v.split("a") | length }}`,
  'split into lines': '{% set v = ("a" * 999).replace("a", "\\n" * 999) %}{{ v.splitlines() | length }}',
  'words of long texts': '{% set v = ("a" * 999).replace("a", "b " * 499) %}{{ v.split() | length }}',
  'a join with a long separator': `${long}{{ range(9999) | join(v) }}`,
  'wide numbers': '{{ "%1000000000d" % 1 }}',
  'precise numbers': often('{% set x = "%.100f" % 1e300 %}'),
  'wide indents': '{{ "a" | indent(10 ** 9, true) }}',
  'wide JSON': '{{ [1] | tojson(indent=10 ** 9) }}',
  'sums of large integers': '{% set ns = namespace(v=2 ** 4000) %}' + often('{% set ns.v = ns.v + ns.v %}'),
  'print of large integers': '{% set v = 2 ** 4000 %}' + often('{{ v }}'),
  'integers that collide': '{% set d = {} %}' + often('{% set _ = d.update({i * 2 ** 64: 1}) %}'),
  constants: often(`{% set x = [${'1,'.repeat(20_000)}] %}`),
  'empty dicts': often(`{% set x = [${'{},'.repeat(20_000)}] %}`),
  'spread arguments': often('{% set x = loop.cycle(*range(99999)) %}'),
  'a text in many parts': '{% set v = range(9999) | join(messages[0].content) %}' + often('{% set x = v.split("1") %}'),
}

for (const [name, source] of Object.entries(costly)) {
  test(`a template is stopped: ${name}`, () => {
    assert.throws(
      () => render(source),
      error => {
        assert.ok(['SecurityError', 'OverflowError'].includes(error.kind), error.stack)
        assert.match(error.message, /too many steps|too much memory|too large/)
        return true
      },
    )
  })
}

const cheap = {
  '{{ range(10 ** 400, 10 ** 400) | length }}': '0',
  '{{ range(2 ** 60, 2 ** 60 + 3) | list }}': '[1152921504606846976, 1152921504606846977, 1152921504606846978]',
  '{{ range(5, 0, -2) | list }}': '[5, 3, 1]',
  '{{ [] * 10 ** 8 }}{{ "" * 10 ** 8 }}{{ () * 10 ** 400 }}': '[]()',
  '{{ "ab" * -1 }}{{ [1] * -(10 ** 400) }}': '[]',
  '{{ {1: "a", true: "b", 1.0: "c"} }}{{ {(1, "a"): 2}[(1.0, "a")] }}': "{1: 'c'}2",
  '{{ {2 ** 70: 1}[2 ** 70] }}': '1',
  '{{ "%5d|%-5d|%05d" % (1, 2, -3) }}': '    1|2    |-0003',
  '{{ "1." | float }} {{ ".5e1" | float }} {{ "1e" | float }}': '1.0 5.0 0.0',
  '{{ " a\u2003b\\x1cc " .split() }}{{ "a b  ".split(none, 1) }}': "['a', 'b', 'c']['a', 'b  ']",
}

for (const [source, text] of Object.entries(cheap)) test(`is right: ${source}`, () => assert.equal(render(source), text))

test('a longer input allows more', () => {
  const source = '{% for i in range(30) %}{{ messages[0].content | upper | length }}{% endfor %}'
  const length = 200_000
  assert.equal(render(source, 'x'.repeat(length)), String(length).repeat(30))
  assert.throws(
    () => render(`{% set v = ("x" * 1000).replace("x", "x" * 200) %}${source.replace('messages[0].content', 'v')}`),
    /too many steps/,
  )
})

test('a template is stopped when its time is over', () => {
  tick = 900
  assert.throws(() => render('{% for i in range(50000) %}{% endfor %}{{ messages[0].content * 50000 }}'), {
    kind: 'SecurityError',
    reason: /takes too long/,
  })
  assert.equal(render('{{ messages[0].content }}'), 'Hi')
  tick = 0
})

test('determining a template’s capabilities costs at most the budget of a prompt', () => {
  /** How often something looks at the clock: at its start, and every some thousand steps. */
  const looks = run => {
    const before = time
    tick = 1
    run()
    tick = 0
    return time - before
  }
  const supports = source => Object.values(new ChatTemplate(source).info.supports)
  const endless = often(often('x'))
  const most = looks(() => assert.throws(() => render(endless), /too many steps/))
  for (const source of [endless, '{% for i in range(60000) %}{% endfor %}{{ messages[0].content }}']) {
    const all = looks(() => assert.ok(supports(source).includes(false)))
    assert.ok(all < most + 30, `${all} looks, ${most} for a prompt`)
  }
  assert.equal(supports(chatml)[0], true)
})

test('memory of a template is freed', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const held = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  assert.throws(() => render(lists + '{{ v }}'))
  const before = held()
  for (let at = 0; at < 10; at++) assert.throws(() => render(lists + '{{ v }}'))
  assert.ok(held() - before < 5e6, `${held() - before} bytes`)
})

test(`${count} costly templates end, with a text or an error`, { timeout: 600_000 }, () => {
  const kinds = new Map()
  for (const { name, source } of costlyTemplates(count)) {
    let kind = 'text'
    try {
      render(source)
    } catch (error) {
      assert.equal(error.code, 'template', `${name}: ${error.stack}`)
      kind = error.kind
    }
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  assert.ok(kinds.get('text') > count / 10 && kinds.get('SecurityError') > count / 5, JSON.stringify([...kinds]))
})
