// A Vite plugin that copies the dictionaries of the bundled model (models/dictionaries) next to the page, with what is known of
// their features.
import { readFileSync } from 'node:fs'

const folder = new URL('../models/dictionaries/', import.meta.url)
const files = ['cfg.json', 'sae_weights.safetensors']

export const dictionaries = () => ({
  name: 'heed:dictionaries',
  generateBundle() {
    const catalogue = readFileSync(new URL('catalogue.json', folder), 'utf8')
    for (const { name } of JSON.parse(catalogue)) {
      for (const file of files)
        this.emitFile({
          type: 'asset',
          fileName: `dictionaries/${name}/${file}`,
          source: readFileSync(new URL(`${name}/${file}`, folder)),
        })
    }
    this.emitFile({ type: 'asset', fileName: 'dictionaries/catalogue.json', source: catalogue })
  },
})
