// The page's tool that calculates: no code is run, and what makes no sense is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from 'rolldown'
import { inRoot } from '../../tools/paths.mjs'

const { output: [{ code }] } = await build({ input: inRoot('web/chat/tools/arithmetic.ts'), write: false })
const { calculate } = await import(`data:text/javascript,${encodeURIComponent(code)}`)

test('expressions have the values that they have on paper', () => {
  for (const [text, value] of [['1', 1], ['2 + 3 * 4', 14], ['(2 + 3) * 4', 20], ['2 ^ 3 ^ 2', 512], ['-2 ^ 2', -4], ['2 ^ -1', 0.5], ['7 % 4', 3],
    ['10 / 4', 2.5], ['8 - 3 - 2', 3], ['--3', 3], ['.5 + 1e3', 1000.5], ['6 × 7 ÷ 2', 21]]) {
    assert.equal(calculate(text), value, text)
  }
})

test('what is no expression is told of', () => {
  for (const text of ['', '1 +', '(1', '1)', '1 2', 'alert(1)', 'constructor', '1 / 0', '('.repeat(10_000), `${'-'.repeat(10_000)}1`]) {
    assert.throws(() => calculate(text), /expression|bracket|number|place/, text.slice(0, 20))
  }
})
