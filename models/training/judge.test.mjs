// The judgments of judge.mjs about the bundled model on people's own wordings, and that their lists are complete.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { calledRightly, isStory, leadsSomewhere, told } from './judge.mjs'

const read = name => JSON.parse(readFileSync(new URL(`stories/${name}.json`, import.meta.url), 'utf8'))
const dice = {
  parameters: { properties: { count: { description: 'How many. Default: 1.' }, sides: { description: 'Sides. Default: 6.' } } },
}
const sums = { '12*7': 84, '12 * 7': 84, '7 * 12': 84, 84: 84, '80 + 4': 84 }
const calculate = { parameters: { properties: { expression: {} } }, execute: ({ expression }) => sums[expression] }

test('arguments are right with or without defaults, and an expression in any spaces and order', () => {
  for (const [given, wanted, tool, right] of [
    [{}, [{}], dice, true],
    [{ count: 1, sides: 6 }, [{}], dice, true],
    [{ sides: 20 }, [{}], dice, false],
    [{ count: 2 }, [{}, { count: 2 }], dice, true],
    [{ count: '2' }, [{ count: 2 }], dice, false],
    [undefined, [{ count: 2 }], dice, false],
    [{ expression: '12*7' }, [{ expression: '12 * 7' }], calculate, true],
    [{ expression: '7 * 12' }, [{ expression: '12 * 7' }], calculate, true],
    [{ expression: '84' }, [{ expression: '12 * 7' }], calculate, false],
    [{ expression: '80 + 4' }, [{ expression: '12 * 7' }], calculate, false],
  ])
    assert.equal(calledRightly(given, wanted, tool), right, JSON.stringify([given, wanted]))
})

test('a result is told with its numbers and no others', () => {
  const time = '{"time":"Friday, 5 March 2027 at 14:23:51 UTC","time_zone":"UTC"}',
    rolls = '{"rolls":[3,5],"total":8}'
  for (const [text, content, asked, right] of [
    ['You rolled 3 and 5, 8 in all.', rolls, 'Roll two dice.', true],
    ['The 2 dice show 8 in all.', rolls, 'Roll two dice.', true],
    ['You rolled 3 and 4, 8 in all.', rolls, 'Roll two dice.', false],
    ['You rolled 3 and 5.', rolls, 'Roll two dice.', false],
    ['It is 14:23.', time, 'time?', true],
    ['It is 14:2.', time, 'time?', false],
    ['Today is Friday.', time, 'What day is it today?', true],
    ['It is 14:23.', time, 'What day is it today?', false],
    ['Today is Friday, 5 March 2027.', time, 'date?', true],
    ['It is about 0.3333.', '0.3333333333333333', '1/3', true],
    ['It is 0.34.', '0.3333333333333333', '1/3', false],
    ['It is 14 square feet.', '84', 'Calculate 12 * 7.', false],
    ['12 times 7 is 84.', '84', 'What is 12 times 7?', true],
    ['That did not work: the result is not a number', '{"error":"the result is not a number"}', '1/0', true],
    ['The story does not tell what expected integer.', '{"error":"sides: expected a whole number from 2 to 1000"}', 'd1', false],
    ['', '84', '12*7', false],
  ])
    assert.equal(told(text, content, asked), right, text)
})

test('a first message leads somewhere', () => {
  const story = 'A fox found a lantern. An owl wanted it. The fox gave it to the owl.'
  for (const [text, kind, right, offered, good] of [
    ['Hello! Shall I tell you a story?', 'greeting', { has: ['hello'], leads: true }, [], true],
    ['That is hi. Shall I tell you a story?', 'greeting', { has: ['hi'], leads: true }, [], false],
    ['Hello!', 'greeting', { has: ['hello'], leads: true }, [], false],
    ['I do not know that. I tell stories.', 'who', { has: ['stories'] }, [], false],
    ['I do not know that. I tell stories.', 'noise', { has: ['stories'] }, [], true],
    [story, 'accepted', { story: 3 }, ['fox', 'lantern'], true],
    [story, 'accepted', { story: 3 }, ['cat', 'lantern'], false],
    ['I tell stories. Ask me. Do so.', 'accepted', { story: 3 }, [], false],
  ])
    assert.equal(leadsSomewhere(text, kind, right, offered), good, text)
  assert.equal(isStory('A fox ran. A fox ran. A fox ran.'), false)
})

test('the lists have what they say, in two halves', () => {
  const { tools, unserved } = read('wordings'),
    { right, taught, kept } = read('openings')
  for (const [name, rows] of Object.entries(tools)) assert.ok(rows.taught.length + rows.kept.length >= 40, name)
  assert.ok(unserved.taught.length + unserved.kept.length >= 40)
  assert.ok(taught.length + kept.length >= 60)
  for (const [kind] of [...taught, ...kept]) assert.ok(right[kind], kind)
  for (const { version, asked } of Object.values(read('packages').packages)) {
    assert.match(version, /^\d+\.\d+\.\d+$/)
    assert.equal(asked.length, 3)
  }
})
