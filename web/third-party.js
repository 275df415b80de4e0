// A Vite plugin that puts THIRD-PARTY.txt beside the page: the package's own file, then the licenses of what the page bundles.
import { readFileSync } from 'node:fs'
import { notices, npmParts } from '../tools/building/third-party.mjs'

export const thirdParty = () => ({
  name: 'heed:third-party',
  generateBundle(_, outputs) {
    const files = Object.values(outputs).flatMap(({ modules = {} }) => Object.keys(modules))
    const ofPackage = readFileSync(new URL('../dist/THIRD-PARTY.txt', import.meta.url), 'utf8')
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.txt', source: `${ofPackage}\n\n${notices(npmParts(files))}` })
  },
})
