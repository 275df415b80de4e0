// The example that writes states of the residual stream for Python, and reads them there.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { withModel } from './support.mjs'

const needsPython = { skip: spawnSync('python3', ['--version']).status === 0 ? false : 'there is no python3' }

test('states written by Node are read by Python', needsPython, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-notebook-'))
  try {
    execFileSync(process.execPath, [inRoot('examples/notebook/hidden.mjs'), 'The fox'], { cwd: folder })
    const lines = execFileSync('python3', [inRoot('examples/notebook/exports.py'), 'states.npy'], { cwd: folder, encoding: 'utf8' })
      .trim()
      .split('\n')
    await withModel(undefined, {}, async model => {
      const { states } = await model.hidden('The fox', { positions: [-1] })
      assert.deepEqual(
        lines,
        states.map(
          (state, layer) => `state ${layer}: length ${Math.sqrt(state.reduce((sum, value) => sum + value * value, 0)).toFixed(2)}`,
        ),
      )
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
