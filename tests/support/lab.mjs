// The lab's references in ../shared/lab, described in ../shared/lab/MANIFEST.md.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../../tools/paths.mjs'

const lab = inRoot('..', 'shared', 'lab')

export const labFile = (...parts) => join(lab, ...parts)
export const loadLab = (part, name) => JSON.parse(readFileSync(labFile(part, `${name}.json`), 'utf8'))
export const labModel = json => labFile(json.base)

/** All references of a part. */
export const labFiles = part =>
  readdirSync(labFile(part))
    .filter(file => file.endsWith('.json') && file !== 'bad.json')
    .map(file => file.replace('.json', ''))
    .map(name => ({ name, json: loadLab(part, name) }))

export function floatsOf(...parts) {
  const bytes = readFileSync(labFile(...parts))
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** The reference of a part that has two: float64's if there is one, and llama.cpp's otherwise. */
export const rowsOf = (part, name, json) => floatsOf(part, `${name}.${json.exact_file ? 'exact' : 'llama'}.f32`)

/** The RMS of the difference by the standard deviation of the reference. */
export function differenceOf(actual, expected) {
  const mean = expected.reduce((sum, value) => sum + value, 0) / expected.length
  let difference = 0,
    deviation = 0
  expected.forEach((value, index) => {
    difference += (actual[index] - value) ** 2
    deviation += (value - mean) ** 2
  })
  return actual.length === expected.length ? Math.sqrt(difference / deviation) : NaN
}
