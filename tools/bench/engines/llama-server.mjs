// llama.cpp's server, natively: Debian's newest, in a root of its own, or the llama-server that HEED_LLAMA_SERVER names. It drafts by a
// model's own heads.
import { setTimeout as pause } from 'node:timers/promises'
import { installApart, scriptApart } from '../../browsers/apart.mjs'
import { startProgram } from '../../browsers/program.mjs'
import { freePort } from '../../running/free-port.mjs'
import { checkText, textsOf } from '../site/known-texts.js'

const name = 'llama.cpp',
  program = 'llama-server'

const command = () => process.env.HEED_LLAMA_SERVER?.split(/\s+/) ?? [scriptApart(name, program)]

/** Installs it if it is missing. */
export const prepareLlamaServer = async () => {
  if (!process.env.HEED_LLAMA_SERVER) await installApart(name, ['llama.cpp-tools'], [program])
}

/** Runs `use(complete)` with a server of the model, where complete(body) resolves to the answer of its `/completion`. */
async function withServer({ path, options: { threads, context, tokens, parallel } }, more, use) {
  const port = await freePort()
  const [file, ...before] = command()
  const size = `${parallel * (context + tokens + 16)}`
  const args = [
    ...before,
    '-m',
    path,
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '-t',
    `${threads}`,
    '-c',
    size,
    '-np',
    `${parallel}`,
  ]
  const server = startProgram(file, [...args, ...more])
  const ask = async (route, body) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${route}`, body && { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`--vs llama.cpp: ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const isReady = () =>
    ask('health').then(
      () => true,
      () => false,
    )
  let isOver = false
  const run = async () => {
    while (!isOver && !(await isReady())) await pause(200)
    return use(body => ask('completion', body))
  }
  try {
    return await server.until(run())
  } finally {
    isOver = true
    await server.stop()
  }
}

/** Tokens per second of all texts together, which must be those that are known. */
async function write(complete, texts, tokens) {
  const body = { n_predict: tokens, temperature: 0, ignore_eos: true, cache_prompt: false, return_tokens: true }
  const answers = await Promise.all(texts.map(({ prompt }) => complete({ ...body, prompt })))
  for (const [text, answer] of answers.entries()) checkText(answer.tokens, texts[text])
  const sum = key => answers.reduce((sum, { timings }) => sum + (timings[key] ?? 0), 0)
  return { perSecond: sum('predicted_per_second'), draftedTokens: sum('draft_n'), acceptedDrafts: sum('draft_n_accepted') }
}

/** Texts of each class by one server, after a first one. Resolves to {rate: {perSecond, draftedTokens, acceptedDrafts}}. */
const textsBy = (run, more) =>
  withServer(run, more, async complete => {
    const found = {}
    for (const one of run.classes) {
      const texts = textsOf(one, run.options)
      await write(complete, texts, run.options.tokens)
      found[one.rate] = await write(complete, texts, run.options.tokens)
    }
    return found
  })

/** With at most `most` drafts a pass, relative to no drafts. Resolves to {rate: {off, on, ...}}. */
export async function draftsByLlamaServer(run, most) {
  const off = await textsBy(run, [])
  const on = await textsBy(run, ['--spec-type', 'draft-mtp', '--spec-draft-n-max', `${most}`])
  return Object.fromEntries(run.classes.map(({ rate }) => [rate, { off: off[rate].perSecond, ...on[rate] }]))
}
