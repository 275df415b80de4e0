// Part of the glue, in every thread: joins the extra module (cmake/extra.cmake) to the thread's instance of the main module. Until
// then, placeholders stand for the extra functions that the main module calls or points to. The engine's thread gets the compiled
// extra module from its worker and posts it to the other threads, so that none compiles it again. Threads receive no messages while
// they run, so they are restarted.
let firstExports, extraTable
let hasExtra = false
const joinExtra = compiled => {
  new WebAssembly.Instance(compiled, { primary: firstExports }) // puts its functions into the table of placeholders
  hasExtra = true
}
const callInExtra =
  (_, place) =>
  (...given) => {
    if (!hasExtra) throw Object.assign(new Error('A part of the engine is needed that has not been loaded'), { needsExtra: true })
    return extraTable.get(typeof extraTable.length === 'bigint' ? BigInt(place) : Number(place))(...given)
  }
const instantiateFirst =
  Module['instantiateWasm'] ?? ((imports, receive) => receive(new WebAssembly.Instance(wasmModule, imports), wasmModule))
Module['instantiateWasm'] = (imports, receive) => {
  imports['placeholder.deferred'] = new Proxy({}, { get: callInExtra })
  return instantiateFirst(imports, (instance, compiled) => {
    firstExports = instance.exports
    const results = receive(instance, compiled)
    extraTable = Object.values(firstExports).find(value => value instanceof WebAssembly.Table && value !== wasmTable)
    return results
  })
}
Module['joinExtra'] = extra => {
  joinExtra(extra)
  for (const worker of Module['workers']) worker.postMessage({ extra })
  _heed_restart_threads()
}
if (ENVIRONMENT_IS_PTHREAD) addEventListener('message', ({ data }) => data.extra && joinExtra(data.extra))
