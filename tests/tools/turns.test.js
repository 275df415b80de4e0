// Which suites have their turn in a run of limited time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turns } from '../../tools/testing/turns.mjs'

const names = ['arm', 'bench', 'fuzz', 'tidy']

test('those that have not ended for the longest come first, and those that never have before them', () => {
  assert.deepEqual(turns(names, { arm: 30, bench: 10, tidy: 20, page: 5 }, 7), ['fuzz', 'bench', 'tidy', 'arm'])
})

test('where none of them has ended, the time of the commit says which is first', () => {
  assert.deepEqual(turns(names, { page: 5 }, 1_795_884_546), ['fuzz', 'tidy', 'arm', 'bench'])
  const first = new Set(Array.from({ length: 4 }, (_, seconds) => turns(names, {}, seconds)[0]))
  assert.deepEqual([...first], names, 'each has its turn')
})
