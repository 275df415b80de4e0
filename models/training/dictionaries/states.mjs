// The states of the bundled model that its dictionaries are trained on, collected by Heed: a safetensors file of a row for each token.
//
//     npm run build -- package && node models/training/dictionaries/states.mjs /tmp/states.safetensors [TEXTS]
import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { loadModel } from 'heed'
import { dictionaries } from './dictionaries.mjs'

/** Texts of the generator; `seed` names them. */
export const textsOf = (count, seed) =>
  JSON.parse(
    execFileSync('python3', ['-m', 'dictionaries.texts', '--count', `${count}`, '--seed', seed], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
      maxBuffer: 1e9,
    }),
  )

/** Control tokens are in the texts. */
export const asWritten = { addSpecial: false, parseSpecial: true }

if (import.meta.url === `file://${process.argv[1]}`) {
  const [, , path, count = '2500'] = process.argv
  const model = await loadModel()
  const file = await open(path, 'w')
  const points = [...new Set(dictionaries.flatMap(({ reads, writes }) => [reads, writes]))]
  const { rows } = await model.collect(textsOf(Number(count), 'dictionaries'), {
    ...asWritten,
    points,
    to: file,
    as: 'safetensors',
  })
  await file.close()
  await model.dispose()
  console.log(`${rows} tokens`)
}
