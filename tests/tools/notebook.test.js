// The example that reads Heed's exports in Python, with a NPY file of the example's own, and tables as the page writes them.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const needsPython = { skip: spawnSync('python3', ['--version']).status === 0 ? false : 'there is no python3' }
const folder = mkdtempSync(join(tmpdir(), 'heed-notebook-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const read = (...files) =>
  execFileSync('python3', [inRoot('examples/notebook/exports.py'), ...files], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n')

test('tables and edits as the page saves them', needsPython, () => {
  writeFileSync(
    join(folder, 'lens.csv'),
    [
      '"layer","position","token","rank","prediction","id","logprob","probability"',
      '0,0,"a",1," ""x"", y",7,-0.5,0.6',
      '1,0,"a",1," fox",9,-0.1,0.9',
      '1,0,"a",2," hen",8,-3,0.05',
      '',
    ].join('\r\n'),
  )
  writeFileSync(
    join(folder, 'attribution.csv'),
    '"group","part","logit"\r\n"Input","Embedding",1.5\r\n"Layer 1","Head 1",-2.25\r\n"sum","",-0.75\r\n',
  )
  writeFileSync(
    join(folder, 'edits.json'),
    JSON.stringify({
      model: 'm',
      prompt: [],
      edits: [{ head: [0, 1], scale: 0 }],
      without: { text: 'A fox.', tokens: [] },
      with: { text: 'A hen.', tokens: [] },
    }),
  )
  assert.deepEqual(read('lens.csv', 'attribution.csv', 'edits.json'), [
    'after layer 0: \' "x", y\' 0.600',
    "after layer 1: ' fox' 0.900",
    'Layer 1, Head 1: -2.25',
    'Input, Embedding: +1.50',
    'all parts: -0.75, the logit: -0.75',
    '1 edits of m',
    "without: 'A fox.'",
    "with: 'A hen.'",
  ])
})
