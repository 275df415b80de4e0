// heed lab: the commands that show values inside a model, as tables and files.
import { UsageError } from '../arguments.js'
import { helpOf } from '../help.js'
import { collect, compare, probe } from './collect.js'
import { effect, examples, features, steer } from './features.js'
import { sweep } from './sweep.js'
import { attribute, trace } from './trace.js'

const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  trace,
  sweep,
  attribute,
  features,
  steer,
  effect,
  collect,
  probe,
  examples,
  compare,
}

export async function lab([name, ...args]: string[]): Promise<number> {
  if (name === undefined) {
    process.stderr.write(helpOf('lab'))
    return 2
  }
  if (!Object.hasOwn(commands, name))
    throw new UsageError(`unknown command 'lab ${name}'; commands: ${Object.keys(commands).join(', ')}`)
  return commands[name]!(args)
}
