// Runs before the engine in its worker: records its WebAssembly memories, and reports their size on request.
const memories = []

WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
  construct(Memory, args) {
    const memory = new Memory(...args)
    memories.push(memory)
    return memory
  },
})

const channel = new BroadcastChannel('memory')
channel.onmessage = () => channel.postMessage({ bytes: memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0) })
