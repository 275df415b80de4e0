// The suites that run when time is limited.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesOfTurn, turns } from '../../tools/testing/turns.mjs'

const names = ['arm', 'bench', 'fuzz', 'tidy']

test('suites that have never ended come first, then those that have not ended for the longest', () => {
  assert.deepEqual(turns(names, { arm: 30, bench: 10, tidy: 20, page: 5 }, 7), ['fuzz', 'bench', 'tidy', 'arm'])
})

test('if no suite has ended before, the time of the commit determines the first one', () => {
  assert.deepEqual(turns(names, { page: 5 }, 1_795_884_546), ['fuzz', 'tidy', 'arm', 'bench'])
  const first = new Set(Array.from({ length: 4 }, (_, seconds) => turns(names, {}, seconds)[0]))
  assert.deepEqual([...first], names, 'each has its turn')
})

test('each file of a suite has its turn, and only one', () => {
  const files = ['axe', 'chat', 'lens', 'sweep', 'views']
  const parts = [1_795_884_546, 1_795_884_547, 1_795_884_548].map(turn => filesOfTurn(files, turn, 3))
  assert.deepEqual(parts, [['axe', 'sweep'], ['chat', 'views'], ['lens']])
  assert.deepEqual(filesOfTurn(files, 1_795_884_546, 1), files)
})
