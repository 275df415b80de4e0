// Splits a linked module in two, which share a memory and a table: `node split.mjs MODULE EXTRA NM FEATURES NAMES --extra OBJECT ...
// --base OBJECT ...`. The functions that only objects of the extra module define go there, those with such names (a regular expression), and
// those that nothing but these calls. In their place, the first module has imports of placeholders (bindings/embind/extra.pre.js).
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bodiesOf, importedFunctions, namesIn, withNames } from './wasm_file.mjs'

const [path, extraPath, nm, featureList, extraNames, ...objects] = process.argv.slice(2)
const features = featureList.split(',')
const run = (program, ...args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 30 })

/** Bytes of a function below which it takes less than its call by the table, and stays. */
const smallest = 16

/** The names of the functions that objects define. */
function definedIn(files) {
  const lines = run(nm, '--defined-only', '--format=posix', ...files).split('\n')
  return new Set(lines.map(line => line.split(' ')).flatMap(([name, kind]) => (/^[tTwW]$/.test(kind) ? name : [])))
}

/** Functions by their numbers: f12. The linker's names may occur twice. */
const numbered = number => `f${number}`
/** Without what link-time optimization appends. */
const plain = name => name.replace(/\.llvm\.\d+$/, '')

/** Who calls each function, and the functions that are called otherwise: by the table, or from outside. */
function usesIn(file) {
  const callers = new Map()
  const others = new Set()
  let within
  for (const line of run('wasm-dis', ...features, file).split('\n')) {
    within = /^ \(func \$(\w+)/.exec(line)?.[1] ?? within
    if (/^ \((elem|export|start|global) /.test(line) || line.includes('(ref.func ')) {
      for (const [, name] of line.matchAll(/\$(f\d+)/g)) others.add(name)
    }
    const called = /\((?:return_)?call \$(f\d+)/.exec(line)?.[1]
    if (called) callers.set(called, (callers.get(called) ?? new Set()).add(within))
  }
  return { callers, others }
}

const bytes = readFileSync(path)
const names = namesIn(bytes)
const imported = importedFunctions(bytes)
const sizes = bodiesOf(bytes).map(body => body.length)
const functions = [...names].filter(([number]) => number >= imported).map(([number, name]) => [number, plain(name)])

const [ofExtra, ofBase] = [objects.slice(1, objects.indexOf('--base')), objects.slice(objects.indexOf('--base') + 1)].map(definedIn)
const times = new Map()
for (const [, name] of functions) times.set(name, (times.get(name) ?? 0) + 1)
const isNamed = new RegExp(extraNames)
const isExtra = ([number, name]) =>
  times.get(name) === 1 && (isNamed.test(name) || (ofExtra.has(name) && !ofBase.has(name) && sizes[number - imported] >= smallest))
const chosen = new Set(functions.filter(isExtra).map(([number]) => numbered(number)))

const named = `${path}.named`
writeFileSync(
  named,
  withNames(
    bytes,
    [...names.keys()].sort((a, b) => a - b).map(number => [number, numbered(number)]),
  ),
)
const { callers, others } = usesIn(named)
for (const [number] of functions) if (!callers.has(numbered(number))) others.add(numbered(number))
for (let before = -1; before < chosen.size; ) {
  before = chosen.size
  for (const [name, by] of callers) {
    if (name.slice(1) >= imported && !others.has(name) && [...by].every(caller => chosen.has(caller))) chosen.add(name)
  }
}

const list = `${path}.list`
writeFileSync(list, [...chosen].join('\n'))
// For developers, beside the module's folder: which function is where, and where the first module calls the extra one.
const nameOf = new Map(functions.map(([number, name]) => [numbered(number), name]))
const report = functions.map(([number, name]) => {
  const it = numbered(number)
  if (!chosen.has(it)) return `base ${sizes[number - imported]} ${name}\n`
  const by = [...(callers.get(it) ?? [])].filter(caller => !chosen.has(caller)).map(caller => `  from ${nameOf.get(caller)}\n`)
  return `extra ${sizes[number - imported]} ${name}\n${others.has(it) ? '  by the table\n' : ''}${by.join('')}`
})
writeFileSync(join(dirname(path), '../split.txt'), report.join(''))
run('wasm-split', ...features, '-q', named, `--split-funcs=@${list}`, '-o1', path, '-o2', extraPath, '--export-prefix=%')
for (const file of [named, list]) rmSync(file)
