// The command line: one folder, a template, and requests for help and the version.
import { parseArgs } from 'node:util'
import { UsageError } from './errors.mjs'
import { checkTemplate } from './templates.mjs'

const options = {
  template: { type: 'string', short: 't' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
}
const known = '--template NAME (-t), --help (-h), --version (-v)'

/** The parsed arguments: {wants: 'help' or 'version'}, or {folder, template}, each undefined if it is not given. */
export function readArguments(args) {
  const { values, positionals } = parsed(args)
  if (values.help) return { wants: 'help' }
  if (values.version) return { wants: 'version' }
  if (positionals.length > 1)
    throw new UsageError(`one folder is enough, and there are ${positionals.length}: ${positionals.join(', ')}`)
  if (values.template !== undefined) checkTemplate(values.template)
  return { folder: positionals[0], template: values.template }
}

function parsed(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const unknown = /^Unknown option '(.*?)'/.exec(error.message)?.[1]
    throw new UsageError(unknown ? `there is no option ${unknown}; there are ${known}` : error.message)
  }
}
