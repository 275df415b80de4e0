// A worker that runs the probes (tools/bench/probes), each several times, and tells the best.
import create from './probes/probes.js'

const times = 6

self.onmessage = async ({ data: { threads } }) => {
  const probes = await create({ threads })
  const best = name => Math.max(...Array.from({ length: times }, () => probes[name](threads)))
  self.postMessage(Object.fromEntries(['stream', 'rows', 'gemv', 'dot'].map(name => [name, best(name)])))
}
