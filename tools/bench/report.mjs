// Prints results as tables.
const gap = '  '

/** Formats rows of strings as a table; the columns in `left` are left-aligned, the others right-aligned. */
export function table(rows, left) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  const set = (cell, column) => cell[left.includes(column) ? 'padEnd' : 'padStart'](widths[column])
  return rows.map(row => row.map(set).join(gap).trimEnd()).join('\n')
}

/** Formats a number with about three significant digits. */
export const figure = number => number?.toFixed(number >= 100 ? 0 : number >= 10 ? 1 : 2) ?? ''

export const share = ratio => `${(ratio * 100).toFixed(0)}%`

/** Prints the results of benchModels for one model: one line per figure, one column per engine. */
export function printFigures({ model, costs, engines }, { prompt, context, threads, browser, runs }) {
  const names = Object.keys(engines)
  const { heed } = engines
  const { limits, limitsOfOne, info, prefillGigaproductsPerSecond, prefillToMost } = heed
  const { decodeGigabytesPerSecond, decodeToMost } = heed
  /** For other engines, also Heed's speed relative to theirs. */
  const speedLine = (title, value, note) => [
    title,
    figure(value(heed)),
    ...names.slice(1).map(name => `${figure(value(engines[name]))} (${figure(value(heed) / value(engines[name]))}x)`),
    note,
  ]
  const slower = length => {
    const { slower, bytes } = heed.longerContext?.[length] ?? {}
    return slower ? `; ${figure(slower)} x slower, ${figure(bytes)} x the bytes` : ''
  }
  const line = (title, value, note = '') => [title, ...names.map(name => figure(value(engines[name]))), note]
  const rows = [
    [`${model}, ${threads} threads`, ...names, ''],
    line('load, s', ({ loadMs }) => loadMs && loadMs / 1000, `${figure(heed.loadToSum)} x fetch and sum`),
    line(
      'wasm memory, MB',
      ({ memoryBytes }) => memoryBytes && memoryBytes / 1e6,
      `${figure(heed.memoryToKept)} x weights and KV (${figure(heed.weightsAndCacheBytes / 1e6)})`,
    ),
    line(`first token, ms (${prompt[0]})`, ({ firstTokenMs }) => firstTokenMs),
    line(`first prefill ${prompt[0]}, tok/s`, ({ freshPrefill }) => freshPrefill, `${figure(heed.freshToWarm)} x warm`),
    ...prompt.map(length =>
      speedLine(
        `prefill ${length}, tok/s`,
        ({ prefill }) => prefill[length],
        `${figure(prefillGigaproductsPerSecond[length])} GMAC/s, ${share(prefillToMost[length])} of the peak`,
      ),
    ),
    ...context.map(length =>
      speedLine(
        `decode at ${length}, tok/s`,
        ({ decode }) => decode[length],
        `${figure(decodeGigabytesPerSecond[length])} GB/s, ${share(decodeToMost[length])} of the best read` + slower(length),
      ),
    ),
  ]
  const peaks = ({ stream, rows, gemv, dot }) =>
    `reads ${figure(stream)} in a stream, ${figure(rows)} by rows, ${figure(gemv)} as a GEMV, GB/s; ` + `dot ${figure(dot)} GMAC/s`
  console.log(`\n${table(rows, [0, names.length + 1])}\n`)
  console.log(
    `${browser}: ${info.simd}, ${info.target}; medians of ${runs}; ` +
      `${figure(costs.weightBytes / 1e6)} MB of weights a token, KV ${info.kvCache}`,
  )
  console.log(`the machine, ${threads} threads: ${peaks(limits)}`)
  console.log(`            1 thread: ${peaks(limitsOfOne)}\n`)
}

/** Prints the rows of benchKernels. */
export function printKernels(rows) {
  const cells = rows.map(({ kernel, format, target, where, ns, gigabytesPerSecond, gigaproductsPerSecond }) => [
    kernel,
    format,
    target,
    where,
    figure(ns),
    figure(gigabytesPerSecond),
    figure(gigaproductsPerSecond),
  ])
  const titles = ['kernel', 'format', 'target', 'runs', 'ns', 'GB/s', 'GMAC/s']
  console.log(`\n${table([titles, ...cells], [0, 1, 2, 3])}`)
}
