// A worker that runs each of the probes (tools/bench/probes) repeatedly and reports the best result, because engines need a while
// to optimize code.
import create from './probes/probes.js'

const milliseconds = 500

self.onmessage = async ({ data: { threads } }) => {
  const probes = await create({ threads })
  const best = name => {
    let most = 0
    for (const end = performance.now() + milliseconds; performance.now() < end; ) {
      most = Math.max(most, probes[name](threads))
    }
    return most
  }
  self.postMessage(Object.fromEntries(['stream', 'rows', 'gemv', 'dot'].map(name => [name, best(name)])))
}
