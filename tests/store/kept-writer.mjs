// A process of kept.test.js that writes an answer, one line for each token, until it is killed. Its argument is JSON: the prompt and
// the options.
import { loadModel } from 'heed'

const [prompt, options] = JSON.parse(process.argv[2])
const model = await loadModel(undefined, { keep: true, threads: 1 })
for await (const { id } of model.generate(prompt, options)) process.stdout.write(`${id}\n`)
await model.dispose()
