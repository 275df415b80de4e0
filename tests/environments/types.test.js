// The package's types with the TypeScript versions and settings that are in use.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from './support.mjs'

const settings = {
  bundler: { module: 'ESNext', moduleResolution: 'bundler' },
  node16: { module: 'Node16', moduleResolution: 'node16' },
  nodenext: { module: 'NodeNext', moduleResolution: 'nodenext' },
  node10: { module: 'CommonJS', moduleResolution: 'node10' },
}
const compilers = {
  5: ['bundler', 'node16', 'nodenext', 'node10'],
  7: ['bundler', 'node16', 'nodenext'], // node10 is no longer supported
}
const libraries = { 'with the DOM': ['ES2022', 'DOM', 'DOM.AsyncIterable'], 'without the DOM': ['ES2022'] }

for (const [major, names] of Object.entries(compilers)) {
  environment(
    `TypeScript ${major}`,
    {
      source: 'tests/environments/projects/types',
      install: `typescript${major}`,
      versions: { typescript: `^${major}.0.0` },
      quick: major === '7',
    },
    async project => {
      for (const name of names) {
        for (const [library, lib] of Object.entries(libraries)) {
          const compilerOptions = {
            ...settings[name],
            lib,
            target: 'ES2022',
            types: [],
            strict: true,
            skipLibCheck: false,
            noEmit: true,
          }
          const config = join(project.folder, 'tsconfig.json')
          writeFileSync(config, JSON.stringify({ compilerOptions, include: ['*.ts', '*.mts'] }))
          const { status, output } = await project.exec('node', ['node_modules/typescript/bin/tsc', '-p', '.'])
          assert.equal(status, 0, `${name}, ${library}: ${output}`)
        }
      }
    },
  )
}
