// The licenses of the code that Emscripten adds to the modules: its glue and the libraries that it links, as found in the
// toolchain.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../paths.mjs'

/** The linked libraries, and where their sources are in Emscripten's. */
const linked = {
  Emscripten: '*',
  musl: 'system/lib/libc/musl/*',
  'libc++': 'system/lib/libcxx/*',
  'libc++abi': 'system/lib/libcxxabi/*',
  'compiler-rt': 'system/lib/compiler-rt/*',
  dlmalloc: 'system/lib/dlmalloc.c',
}

const record = inRoot('build/modules/runtime-licenses.json')

/** Debian has all licenses in one file. A root without documentation lacks it, so it is taken from the package. */
const debianFile = '/usr/share/doc/emscripten/copyright'
const fetchDebianFile = `set -e; cd "$(mktemp -d)"; apt-get download emscripten >&2
  mkdir -p "$(dirname ${debianFile})"; dpkg-deb --fsys-tarfile emscripten_*.deb | tar -xO .${debianFile} > ${debianFile}; rm -r "$PWD"`

/** Records the licenses in build/modules, for `runtimeParts`. */
export async function recordRuntimeLicenses({ kind, versions, run }) {
  const output = async (command, ...args) => (await run(command, args, { capture: true })).stdout
  const exists = async file => (await run('test', ['-f', file], { capture: true, check: false })).status === 0
  const own = (await output('em-config', 'EMSCRIPTEN_ROOT')).trim()
  let parts
  if (await exists(`${own}/LICENSE`)) {
    const files = { Emscripten: 'LICENSE', musl: 'system/lib/libc/musl/COPYRIGHT' }
    parts = await Promise.all(
      Object.entries(files).map(async ([name, file]) => ({ name, text: await output('cat', `${own}/${file}`) })),
    )
  } else {
    if (kind === 'debian' && !(await exists(debianFile))) await output('sh', '-c', fetchDebianFile)
    if (!(await exists(debianFile)))
      throw new Error(`The license of Emscripten is missing: neither ${own}/LICENSE nor ${debianFile} is there`)
    parts = partsOf(await output('cat', debianFile))
  }
  mkdirSync(inRoot('build/modules'), { recursive: true })
  parts[0].version = versions.emcc // the libraries have none of their own
  writeFileSync(record, JSON.stringify(parts))
}

/** {name, text}, and {version} of Emscripten, of each part, as `recordRuntimeLicenses` has recorded them. */
export const runtimeParts = () => JSON.parse(readFileSync(record, 'utf8'))

/** Reads Debian's file: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0 */
function partsOf(text) {
  const stanzas = text
    .split(/\n\s*\n/)
    .map(stanza =>
      Object.fromEntries([...stanza.matchAll(/^([\w-]+):(.*(?:\n[ \t].*)*)/gm)].map(([, name, value]) => [name, value])),
    )
  const texts = new Map(
    stanzas
      .filter(stanza => stanza.License && !stanza.Files)
      .map(({ License: license }) => {
        const [name, ...lines] = license.trim().split('\n')
        return [name, plain(lines)]
      }),
  )
  return Object.entries(linked).map(([name, pattern]) => {
    const found = stanzas.find(({ Files: files }) => files?.trim().split(/\s+/).includes(pattern))
    if (!found) throw new Error(`${debianFile} has no license of ${pattern}`)
    const [license, ...remarks] = found.License.trim().split('\n')
    const named = [license, ...license.split(/,? (?:or|and) |, /)].map(one => texts.get(one)).filter(Boolean)
    return {
      name,
      text: [plain(found.Copyright.trim().split('\n')), `License: ${license}`, plain(remarks), ...named]
        .filter(Boolean)
        .join('\n\n'),
    }
  })
}

const plain = lines =>
  lines
    .map(line => line.trim().replace(/^\.$/, ''))
    .join('\n')
    .trim()
