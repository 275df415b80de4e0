// Third-party code in the package: THIRD-PARTY.txt, with the licenses, and sbom.cdx.json, a list for programs (CycloneDX). Both are
// made from the bundle's contents: the sources named in the scripts' maps, and the libraries that Emscripten has linked.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../paths.mjs'
import { runtimeParts } from './runtime-licenses.mjs'

const manifestOf = folder => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))

/** A comment at the head of a file in which its authors give it a license of its own. */
function ownLicense(path) {
  const [head] = /^(?:\/\*[^]*?\*\/\s*)*/.exec(readFileSync(path, 'utf8'))
  return head.match(/\/\*[^]*?\*\//g)?.find(comment => /Copyright[^]*Licensed under/.test(comment))
}

/** {name, version, license, text} of the npm packages that files with these paths belong to. Throws if one has no license. */
export function npmParts(files) {
  const bundled = new Map()
  for (const file of files) {
    const [, name, path] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(.+)/.exec(file) ?? []
    if (name) bundled.set(name, (bundled.get(name) ?? new Set()).add(path))
  }
  return [...bundled]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, paths]) => {
      const folder = inRoot('node_modules', name)
      const { version, license } = manifestOf(folder)
      const files = readdirSync(folder)
        .filter(file => /^(licen[sc]e|notice|copying|third-party)/i.test(file))
        .sort()
      if (files.length === 0) throw new Error(`${name} is bundled, and has no file with its license`)
      const own = [...paths].flatMap(path => ownLicense(`${folder}/${path}`)?.replace(/^/, `${path}:\n`) ?? [])
      const texts = files.map(file => readFileSync(`${folder}/${file}`, 'utf8').trim())
      return { name, version, license, npm: true, text: [...texts, ...own].join('\n\n') }
    })
}

/** The licenses of these parts, as text. */
export const notices = parts =>
  parts
    .map(({ name, version, text }) => {
      const title = version ? `${name} ${version}` : name
      return `${title}\n${'='.repeat(title.length)}\n\n${text.trim()}\n`
    })
    .join('\n\n')

/** The sources of the scripts in dist/. */
const bundledFiles = () =>
  readdirSync(inRoot('dist'))
    .filter(name => name.endsWith('.js.map') || name.endsWith('.cjs.map'))
    .flatMap(name => JSON.parse(readFileSync(inRoot('dist', name), 'utf8')).sources)

/** Writes both files into dist/, which has been built with or without WebAssembly modules. */
export function writeThirdParty(hasModules) {
  const parts = [...(hasModules ? runtimeParts() : []), ...npmParts(bundledFiles())]
  const { name, version, license } = manifestOf(inRoot('.'))
  writeFileSync(inRoot('dist/THIRD-PARTY.txt'), `${name} contains parts of these works.\n\n\n${notices(parts)}`)
  const component = ({ name, version, license, npm }) => ({
    type: 'library',
    name,
    version,
    ...(license && { licenses: [{ license: { id: license } }] }),
    ...(npm && { purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }),
  })
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'library', 'bom-ref': `pkg:npm/${name}@${version}`, ...component({ name, version, license, npm: true }) },
    },
    components: parts.map(component),
  }
  writeFileSync(inRoot('dist/sbom.cdx.json'), `${JSON.stringify(bom, undefined, 2)}\n`)
}
