// The functions that a benchmark calls in a page, as globalThis.bench: an engine, whose module is imported by name, and the
// machine's limits, measured in separate workers.

/** Sends a message to a new worker; resolves to its reply. */
function ask(url, message) {
  const worker = new Worker(url, { type: 'module' })
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = event => reject(new Error(event.message || `${url} cannot be loaded`))
    worker.postMessage(message)
  }).finally(() => worker.terminate())
}

globalThis.bench = {
  /** heed.js or wllama.js: load(options), generate({prompt, tokens}); heed.js also has memory(). */
  engine: name => import(`./${name}.js`),
  /** Resolves to {milliseconds}, the time to fetch a file and sum its bytes. */
  sum: url => ask('sum.js', { url: new URL(url, location).href }),
  /** Resolves to {stream, rows, gemv: GB/s, dot: GMAC/s} for this number of threads. */
  probe: threads => ask('probe.js', { threads }),
}
