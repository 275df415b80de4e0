// The cost of compiling: `npm run build -- --times [PRESET ...]` builds presets anew with clang's -ftime-trace and sums the traces
// of all units; `slowestUnits` lists the slowest units of the last build.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, root } from '../paths.mjs'
import { say, step } from '../running/steps.mjs'

const presets = () =>
  JSON.parse(readFileSync(inRoot('CMakePresets.json'), 'utf8'))
    .configurePresets.filter(({ hidden }) => !hidden)
    .map(({ name }) => name)
const usualPresets = ['native-release', 'wasm-relaxed']
const targetsOf = preset => ['heed_tests', preset.startsWith('wasm-') ? 'heed_module' : 'heed_cli']
const mostRows = 15

/** The files of a unity unit, as the first and the last. */
function filesOfUnity(folder, unit) {
  const source = join(folder, unit)
  const files = existsSync(source) ? [...readFileSync(source, 'utf8').matchAll(/^#include "(.*)"$/gm)].map(([, file]) => file) : []
  const short = files.map(file => file.replace(/^.*\/(?=(src|tests|tools|bindings)\/)/, ''))
  return short.length > 1 ? `${short[0]} to ${short.at(-1)}` : (short[0] ?? unit)
}

/** The project's name for an output of ninja: a source file, the files of a unity unit, the headers of a target, or a program. */
function nameOf(folder, output) {
  const object = /^CMakeFiles\/(\w+)\.dir\/(.*)\.(?:o|pch)$/.exec(output)
  if (!object) return output
  const [, target, path] = object
  if (/^cmake_pch/.test(path)) return `precompiled headers of ${target}`
  return path.startsWith('Unity/') ? `${filesOfUnity(folder, `CMakeFiles/${target}.dir/${path}`)} (${target})` : path
}

/** The outputs that ninja made in `folder` since `sinceMs`, slowest first: {name, seconds}. */
function madeIn(folder, sinceMs) {
  const log = join(folder, '.ninja_log')
  const made = new Map() // the log keeps earlier runs; the last line of each output counts
  for (const line of existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []) {
    const [start, end, time, output] = line.split('\t')
    if (output && !output.startsWith('/') && Number(time) / 1e6 >= sinceMs) made.set(output, (Number(end) - Number(start)) / 1000)
  }
  return [...made].map(([output, seconds]) => ({ name: nameOf(folder, output), seconds })).sort((a, b) => b.seconds - a.seconds)
}

/** The units of `preset` that were compiled or linked since `sinceMs` (as of Date.now()), slowest first: {name, seconds}. */
export const slowestUnits = (preset, sinceMs) => madeIn(inRoot('build', preset), sinceMs)

/** A header's path without the folders of compilers and of this checkout; a template's or function's name without its arguments. */
const headerName = path =>
  path
    .replace(root, '')
    .replace(/^.*\/include\/(?:c\+\+\/(?:v)?\d+\/)?/, '')
    .replace(/^.*\/(?:headers|clang\/\d+\/include)\//, '')

function templateName(name) {
  let depth = 0,
    out = ''
  const plain = name.replace(
    /operator(<=>|<<=?|>>=?|->\*?|<=?|>=?)/g,
    (_, sign) => `operator${[...sign].map(c => ({ '<': '‹', '>': '›' })[c] ?? c).join('')}`,
  )
  for (const c of plain) {
    if (c === '<') {
      if (depth++ === 0) out += '<>'
    } else if (c === '>') depth--
    else if (depth === 0) out += c
  }
  return out.replaceAll('‹', '<').replaceAll('›', '>')
}

/** The events of a trace with one of these names: {start, end, what}. Clang writes most in one piece, sources as a begin and an end. */
function spansOf(events, names) {
  const begun = new Map()
  const spans = []
  for (const { name, ph, ts, dur, id, tid, args } of events) {
    if (!names.includes(name)) continue
    if (ph === 'X') spans.push({ start: ts, end: ts + dur, what: args?.detail ?? '' })
    else if (ph === 'b') begun.set(`${tid} ${id} ${name}`, { start: ts, what: args?.detail ?? '' })
    else if (ph === 'e') spans.push({ ...begun.get(`${tid} ${id} ${name}`), end: ts })
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** Adds to `sums`, by the name from `nameOf`, the seconds of each span minus those of the spans within it. */
function addOwnTimes(sums, spans, nameOf) {
  const add = (span, microseconds) => {
    const name = nameOf(span.what)
    sums.set(name, (sums.get(name) ?? 0) + microseconds / 1e6)
  }
  const around = []
  for (const span of spans) {
    while (around.length > 0 && around.at(-1).end <= span.start) around.pop()
    add(span, span.end - span.start)
    if (around.length > 0) add(around.at(-1), span.start - span.end)
    around.push(span)
  }
}

/** Sums of the traces in `folder`: seconds by header, by template, and of the compiler's two halves. */
function sumTraces(folder) {
  const [headers, templates, halves] = [new Map(), new Map(), new Map()]
  const traces = readdirSync(folder, { recursive: true }).filter(name => /(^|\/)CMakeFiles\/\w+\.dir\/.*\.json$/.test(name))
  for (const trace of traces) {
    const { traceEvents = [] } = JSON.parse(readFileSync(join(folder, trace), 'utf8'))
    addOwnTimes(headers, spansOf(traceEvents, ['Source']), headerName)
    addOwnTimes(templates, spansOf(traceEvents, ['InstantiateFunction', 'InstantiateClass']), templateName)
    for (const half of ['Frontend', 'Backend']) {
      const { dur = 0 } = traceEvents.find(({ name }) => name === `Total ${half}`) ?? {}
      halves.set(half, (halves.get(half) ?? 0) + dur / 1e6)
    }
  }
  return { headers, templates, halves }
}

const most = sums => [...sums].map(([name, seconds]) => ({ name, seconds })).sort((a, b) => b.seconds - a.seconds)
export const row = ({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`

function tell(title, rows) {
  const all = rows.reduce((sum, { seconds }) => sum + seconds, 0)
  say(`\n${title}: ${rows.length}, ${all.toFixed(1)} s`)
  for (const item of rows.slice(0, mostRows)) say(row(item))
}

/** Builds `preset` in a folder of its own, without the compiler's cache, and prints where the time went. */
async function measure(toolchain, preset) {
  const folder = inRoot('build/times', preset)
  rmSync(folder, { recursive: true, force: true })
  if (preset.startsWith('wasm-')) await toolchain.needCatch2(preset.endsWith('64') ? 64 : 32)
  const log = inRoot('build/times', `${preset}.log`)
  rmSync(log, { force: true })
  await step(`build ${preset} anew, timed`, async report => {
    const onLine = line => report(/^\[(\d+\/\d+)\]/.exec(line)?.[1] ?? '')
    await toolchain.run(
      'cmake',
      [
        '--preset',
        preset,
        '-B',
        folder,
        '--log-level=WARNING',
        '-DBUILD_TESTING=ON',
        '-DCMAKE_CXX_COMPILER_LAUNCHER=',
        '-DCMAKE_CXX_FLAGS=-ftime-trace',
      ],
      { cwd: root, log },
    )
    await toolchain.run('cmake', ['--build', folder, '--target', ...targetsOf(preset)], { cwd: root, log, onLine })
  })
  const { headers, templates, halves } = sumTraces(folder)
  tell(`${preset}: units, compiled or linked`, madeIn(folder, 0))
  tell(`${preset}: headers, each without those that it includes`, most(headers))
  tell(`${preset}: templates, each without those that it instantiates`, most(templates))
  tell(`${preset}: front end and back end`, most(halves))
}

/** `npm run build -- --times PRESET ...` */
export async function tellTimes(toolchain, chosen) {
  const known = presets()
  const unknown = chosen.filter(name => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown preset ${unknown}; known: ${known}`)
  for (const preset of chosen.length > 0 ? chosen : usualPresets) await measure(toolchain, preset)
}
