// 64-bit memory in WebAssembly.

/** Creates shared memory with 64-bit addresses; sizes are in pages. */
export function newMemory64(initial: number, maximum: number): WebAssembly.Memory {
  const descriptor = { address: 'i64', initial: BigInt(initial), maximum: BigInt(maximum), shared: true }
  return new WebAssembly.Memory(descriptor as unknown as WebAssembly.MemoryDescriptor)
}
