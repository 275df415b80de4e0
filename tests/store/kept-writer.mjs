// A process of kept.test.js that writes an answer, and kills itself after some of its tokens. Its argument is JSON: the prompt, the
// options, and the number of tokens.
import { loadModel } from 'heed'

const [prompt, options, tokens] = JSON.parse(process.argv[2])
const model = await loadModel(undefined, { keep: true, threads: 1 })
let left = tokens
for await (const _ of model.generate(prompt, options)) if (--left === 0) process.kill(process.pid, 'SIGKILL')
