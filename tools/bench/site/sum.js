// A worker that fetches a file and sums its bytes: a lower bound for loading a model.
self.onmessage = async ({ data: { url } }) => {
  const start = performance.now()
  const reader = (await fetch(url, { cache: 'no-store' })).body.getReader()
  let sum = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    for (let i = 0; i < value.length; i++) sum = (sum + value[i]) | 0
  }
  self.postMessage({ milliseconds: performance.now() - start, sum })
}
