// The page's calculator tool: it runs no code, and reports invalid expressions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from 'rolldown'
import { inRoot } from '../../tools/paths.mjs'

const {
  output: [{ code }],
} = await build({ input: inRoot('web/chat/tools/arithmetic.ts'), write: false })
const { calculate } = await import(`data:text/javascript,${encodeURIComponent(code)}`)

test('evaluates expressions', () => {
  for (const [text, value] of [
    ['1', 1],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['7 % 4', 3],
    ['10 / 4', 2.5],
    ['8 - 3 - 2', 3],
    ['--3', 3],
    ['.5 + 1e3', 1000.5],
    ['6 × 7 ÷ 2', 21],
  ]) {
    assert.equal(calculate(text), value, text)
  }
})

test('reports invalid expressions', () => {
  for (const text of [
    '',
    '1 +',
    '(1',
    '1)',
    '1 2',
    'alert(1)',
    'constructor',
    '1 / 0',
    '('.repeat(10_000),
    `${'-'.repeat(10_000)}1`,
  ]) {
    assert.throws(() => calculate(text), /expression|bracket|number|place/, text.slice(0, 20))
  }
})
