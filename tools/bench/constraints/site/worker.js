// A worker that times one engine's constraints: a vocabulary, then each schema with its texts, token by token. Times are in
// microseconds.
const memories = new Set()

/** Records the memory of an instance. */
function record(instance) {
  for (const item of Object.values(instance.exports)) if (item instanceof WebAssembly.Memory) memories.add(item)
  return instance
}
const { Instance, instantiate } = WebAssembly
WebAssembly.Instance = new Proxy(Instance, { construct: (_, args) => record(new Instance(...args)) })
WebAssembly.instantiate = async (...args) => {
  const made = await instantiate(...args)
  record(made.instance ?? made)
  return made
}
const memoryBytes = () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0)

async function measure(make, { schema, texts }, times) {
  const start = performance.now()
  const constraint = await make(schema)
  let text = await constraint.begin()
  await text.mask()
  times.first.push((performance.now() - start) * 1000)
  for (const ids of texts) {
    for (const id of ids) {
      let before = performance.now()
      const accepted = await text.accept(id)
      times.accept.push((performance.now() - before) * 1000)
      if (!accepted) {
        times.stopped++
        break
      }
      before = performance.now()
      await text.mask()
      times.mask.push((performance.now() - before) * 1000)
    }
    text.end()
    text = await constraint.begin()
  }
  text.end()
  constraint.drop()
}

async function measureAll({ engine, every, seconds }) {
  const { open } = await import(`./${engine}.js`)
  const [header, ...cases] = (await (await fetch('cases.jsonl')).text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const texts = await (await fetch('vocabulary.bin')).bytes()
  const take = await open()
  const start = performance.now()
  const make = await take({ ...header, texts })
  const times = {
    prepareMs: performance.now() - start,
    prepareBytes: memoryBytes(),
    first: [],
    accept: [],
    mask: [],
    stopped: 0,
    refused: 0,
  }
  for (const one of cases.filter((_, i) => i % every === 0)) {
    if (performance.now() - start > seconds * 1000) break
    try {
      await measure(make, one, times)
    } catch {
      times.refused++
    }
  }
  return { ...times, bytes: memoryBytes() }
}

self.onmessage = async ({ data }) => self.postMessage(await measureAll(data).catch(error => ({ error: String(error) })))
