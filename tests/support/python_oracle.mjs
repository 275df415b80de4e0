// Oracles of ../shared whose check.py needs Python with numpy.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { inRoot } from '../../tools/paths.mjs'

/** The folder of an oracle, and the options of its tests, which are skipped where it or numpy is absent: {oracle, needsOracle}. */
export function pythonOracle(name) {
  const oracle = inRoot('..', 'shared', name)
  const hasNumpy = () => spawnSync('python3', ['-c', 'import numpy']).status === 0
  const skip = !existsSync(oracle) ? `there is no ../shared/${name}` : hasNumpy() ? false : 'there is no numpy'
  return { oracle, needsOracle: { skip } }
}
