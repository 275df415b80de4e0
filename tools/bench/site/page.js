// What a benchmark calls in a page, as globalThis.bench: one engine, whose module is chosen by name, and the
// machine's limits, which are measured in workers of their own.

/** What a worker answers to a message. */
function ask(url, message) {
  const worker = new Worker(url, { type: 'module' })
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = event => reject(new Error(event.message || `${url} cannot be loaded`))
    worker.postMessage(message)
  }).finally(() => worker.terminate())
}

globalThis.bench = {
  /** './heed.js' or './wllama.js': load(options), generate({prompt, tokens}), memory(). */
  engine: name => import(`./${name}.js`),
  /** {milliseconds} to fetch a file and sum its bytes. */
  sum: url => ask('sum.js', { url: new URL(url, location).href }),
  /** {stream, rows, gemv: GB/s, dot: GMAC/s} on so many threads. */
  probe: threads => ask('probe.js', { threads }),
}
