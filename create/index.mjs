#!/usr/bin/env node
// `npm create heed`: asks for choices that the command line does not contain, writes the project, and prints the next commands.
import { stdin, stdout } from 'node:process'
import { readArguments } from './program/arguments.mjs'
import { UsageError } from './program/errors.mjs'
import { help, nextSteps } from './program/messages.mjs'
import { version } from './program/package.mjs'
import { writeProject } from './program/project.mjs'
import { ask } from './program/questions.mjs'

async function main(given) {
  const { wants, ...choices } = readArguments(given)
  if (wants === 'help') return console.log(help())
  if (wants === 'version') return console.log(version)
  const { folder, template } = stdin.isTTY && stdout.isTTY ? await ask(choices) : choices
  if (!folder) throw new UsageError('no folder is given: npm create heed my-app')
  const name = writeProject(folder, template ?? 'chat')
  console.log(nextSteps({ folder, name, template: template ?? 'chat' }))
}

await main(process.argv.slice(2)).catch(error => {
  if (!(error instanceof UsageError)) throw error
  console.error(`create-heed: ${error.message}`)
  process.exitCode = 1
})
