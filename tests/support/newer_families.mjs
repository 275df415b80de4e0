// Tiny models of the newer architectures, with random weights, for tests of pages: made from tests/golden/data/skeletons.json.
import { readFileSync } from 'node:fs'
import { ggufFile } from '../../tools/bench/models/gguf.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { randomFloats } from '../golden/make/random.mjs'
import { vocabularies } from '../golden/make/vocabularies.mjs'

const { metadata, size } = vocabularies.bytePair
const skeletons = JSON.parse(readFileSync(inRoot('tests/golden/data/skeletons.json'), 'utf8'))

/** The names of the architectures. */
export const newerFamilies = skeletons.map(({ architecture }) => architecture)

/** Where the numbers of a tensor lie: those of norms around 1, rates of decay below 0. */
const rangeOf = (name, shape) =>
  /norm\.weight$|_norm$|ffn\.act\.scales|\.scale$/.test(name)
    ? { center: 1, spread: 0.4 }
    : /ssm_a$/.test(name)
      ? { center: -0.7, spread: 0.5 }
      : { spread: 1.5 / Math.sqrt(shape.at(-1)) }

/** The file of a model; `more` are other keys, {key: [kind, value]}. */
export function newerFamily(architecture, more = {}) {
  const { keys, tensors } = skeletons.find(skeleton => skeleton.architecture === architecture)
  const named = Object.entries(tensors).flatMap(([form, layers]) => {
    const [name, sizes] = form.split(' ')
    const shape = sizes.split(',').map(length => Number(length) || size)
    return (layers.length > 0 ? layers : ['']).map(layer => ({ name: name.replace(/^blk\./, `blk.${layer}.`), shape }))
  })
  return ggufFile(
    {
      'general.architecture': ['string', architecture],
      'general.name': ['string', architecture],
      ...Object.fromEntries(Object.entries(keys).map(([key, value]) => [`${architecture}.${key}`, value])),
      ...metadata,
      ...more,
    },
    named.map(({ name, shape }) => {
      const count = shape.reduce((product, length) => product * length, 1)
      return { name, shape, values: randomFloats(`${architecture} ${name}`, count, rangeOf(name, shape)) }
    }),
  )
}
