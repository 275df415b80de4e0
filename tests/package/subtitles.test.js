// Subtitles: the subset of SRT and WebVTT that all readers agree on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportsOf } from '../../tools/contract/load.mjs'

const { toSrt, toVtt } = await exportsOf('bindings/js/audio/subtitles.ts')
const segments = [
  { start: 3661.5, end: 3662.004, text: ' if a < b && b > c --> done\n\n next line ' },
  { start: 0, end: 0, text: ' First' },
  { start: 1, end: 2, text: ' ' },
]

test('SRT has numbers, commas, sorted times and no blank lines', () => {
  assert.equal(
    toSrt(segments),
    '1\n00:00:00,000 --> 00:00:00,001\nFirst\n\n2\n01:01:01,500 --> 01:01:02,004\nif a < b && b > c --> done\nnext line\n\n',
  )
  assert.equal(toSrt([]), '')
})

test('WebVTT has escapes and dots', () => {
  assert.equal(
    toVtt(segments),
    'WEBVTT\n\n00:00:00.000 --> 00:00:00.001\nFirst\n\n01:01:01.500 --> 01:01:02.004\nif a &lt; b &amp;&amp; b &gt; c --&gt; done\nnext line\n\n',
  )
  assert.equal(toVtt([{ start: 360_000, end: 360_001, text: 'late' }]), 'WEBVTT\n\n100:00:00.000 --> 100:00:01.000\nlate\n\n')
})
