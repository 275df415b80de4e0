// A background program that does not outlive this process.
import { spawn } from 'node:child_process'

const mostOutput = 10_000
/** How long a program may take to exit before it is killed; a browser can hang after a crash. */
const stopMs = 10_000

/** Starts a program; `env` adds to the environment. `pipes`: how many the program has besides, from its file descriptor 3 on. */
export function startProgram(command, args, { env = {}, pipes = 0 } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe', ...Array(pipes).fill('pipe')]
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio })
  const kill = () => child.kill('SIGKILL')
  let output = ''
  const listeners = new Set()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output = (output + text).slice(-mostOutput)
      for (const listener of listeners) listener()
    })
  }
  process.once('exit', kill)
  const ended = new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    // Not `close`, which also waits for child processes of the program that write to the same pipes.
    child.once('exit', (code, signal) => resolve(`ended with ${code ?? signal}`))
  }).finally(() => process.off('exit', kill))

  return {
    pipes: child.stdio.slice(3),
    /** Resolves to what `ready` resolves to; rejects, with the program's output, if the program exits first. */
    async until(ready) {
      const failed = ended.then(ending => {
        throw new Error(`${command}: ${ending}\n${output}`)
      })
      return Promise.race([ready, failed])
    },
    /** Resolves to the match once the output matches. */
    says: pattern =>
      new Promise(resolve => {
        const look = () => {
          const match = pattern.exec(output)
          if (match && listeners.delete(look)) resolve(match)
        }
        listeners.add(look)
        look()
      }),
    async stop() {
      child.kill()
      const patience = setTimeout(kill, stopMs)
      await ended
      clearTimeout(patience)
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
    },
  }
}
