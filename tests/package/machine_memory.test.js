// What a page may take of the machine's memory, by what browsers tell of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportsOf } from '../../tools/contract/load.mjs'

const { memoryTold } = await exportsOf('bindings/js/platform/machine-memory.ts')
const GiB = 2 ** 30
const chrome = (version, platform = 'Windows') => ({
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
  userAgentData: {
    platform,
    brands: [
      { brand: 'Not A', version: '8' },
      { brand: 'Chromium', version },
    ],
  },
})

test('deviceMemory is half to one and a half of the memory, and the largest value stands for more', () => {
  for (const [told, expected] of [
    [{}, undefined],
    [{ deviceMemory: 0.5 }, 0.75 * GiB],
    [{ deviceMemory: 4 }, 6 * GiB],
    [{ deviceMemory: 8 }, undefined],
    [{ ...chrome('146'), deviceMemory: 8 }, undefined],
    [{ ...chrome('147'), deviceMemory: 2 }, 3 * GiB],
    [{ ...chrome('147'), deviceMemory: 8 }, 12 * GiB],
    [{ ...chrome('160'), deviceMemory: 16 }, 24 * GiB],
    [{ ...chrome('160'), deviceMemory: 32 }, undefined],
    [{ ...chrome('160', 'Android'), deviceMemory: 4 }, 6 * GiB],
    [{ ...chrome('160', 'Android'), deviceMemory: 8 }, undefined],
  ])
    assert.equal(memoryTold(told), expected, JSON.stringify(told))
})

test('iPhones and iPads end pages above a limit; Macs do not', () => {
  const safari = system => `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/604.1`
  for (const system of ['iPhone; CPU iPhone OS 18_7 like Mac OS X', 'iPad; CPU OS 18_7 like Mac OS X'])
    assert.equal(memoryTold({ userAgent: safari(system) }), 1.5e9)
  assert.equal(memoryTold({ userAgent: safari('Macintosh; Intel Mac OS X 10_15_7') }), undefined)
})
