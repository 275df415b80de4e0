#!/usr/bin/env node
// npx heed: the package's own command. Exit status: 0, or 1 with one line on stderr, or 2 for wrong usage.
import { readFileSync } from 'node:fs'
import { HeedError } from 'heed'
import { UsageError } from './arguments.js'
import { chat } from './talk.js'
import { download } from './download.js'
import { embed } from './embed.js'
import { info } from './info.js'
import { lab } from './lab/index.js'
import { list } from './list.js'
import { complain } from './output.js'
import { render } from './render.js'
import { rm } from './rm.js'
import { run } from './run.js'
import { serve } from './serve.js'
import { transcribe } from './transcribe.js'
import { help, helpOf } from './help.js'

/** Each command resolves to its exit status. */
const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  chat,
  run,
  serve,
  embed,
  transcribe,
  info,
  render,
  lab,
  download,
  list,
  rm,
}

async function main([name, ...args]: string[]): Promise<number> {
  if (name === '--version') {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
    process.stdout.write(`heed ${version}\n`)
    return 0
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const [of] = args
    if (of !== undefined && !Object.hasOwn(commands, of)) throw new UsageError(`unknown command '${of}'`)
    ;(name === undefined ? process.stderr : process.stdout).write(of === undefined ? help : helpOf(of))
    return name === undefined ? 2 : 0
  }
  if (!Object.hasOwn(commands, name)) {
    throw new UsageError(`unknown command '${name}'; commands: ${Object.keys(commands).join(', ')}`)
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpOf(name))
    return 0
  }
  return commands[name]!(args)
}

// The program that reads stdout may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await main(process.argv.slice(2)).catch((error: Error) => {
  complain(error)
  return error instanceof UsageError || (error instanceof HeedError && error.code === 'invalid-argument') ? 2 : 1
})
