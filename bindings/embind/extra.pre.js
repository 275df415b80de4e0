// Part of the glue, in every thread: joins the extra module (cmake/extra.cmake) to the thread's instance of the first. Each function of it
// that the first module calls or points to is a placeholder until then. The engine's thread has the module from its worker, before it is
// needed; the others, which no message reaches, compile it from the engine's memory when they first call a placeholder.
let firstExports, extraTable
let hasExtra = false
const joinExtra = compiled => {
  new WebAssembly.Instance(compiled, { primary: firstExports }) // puts its functions into the table of placeholders
  hasExtra = true
}
const callInExtra =
  (_, place) =>
  (...given) => {
    const length = hasExtra ? 0 : _heed_extra_bytes(0)
    if (length) joinExtra(new WebAssembly.Module(new Uint8Array(wasmMemory.buffer, _heed_extra_bytes(1), length).slice()))
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
Module['joinExtra'] = (compiled, bytes) => {
  if (bytes) new Uint8Array(wasmMemory.buffer, _heed_extra_bytes(bytes.length), bytes.length).set(bytes)
  joinExtra(compiled)
}
