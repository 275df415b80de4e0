// heed rm: deletes stored models, given by source or name. Models that are not stored are reported.
import { modelStore } from 'heed'
import { readArguments, UsageError } from './arguments.js'
import { writeText } from './output.js'
import { bytesText, storedAs } from './stored.js'

export async function rm(args: string[]): Promise<number> {
  const { positionals } = readArguments(args, {}, Infinity)
  if (positionals.length === 0) throw new UsageError('no model: give its source or name as npx heed list shows it')
  const all = await modelStore.list()
  const found = positionals.map(name => ({ name, models: storedAs(name, all) }))
  for (const model of new Set(found.flatMap(({ models }) => models))) {
    if (await modelStore.delete(model)) writeText(`deleted ${model.source}  ${bytesText(model.bytes)}\n`)
  }
  const unknown = found.filter(({ models }) => models.length === 0).map(({ name }) => name)
  if (unknown.length > 0) throw new Error(`not stored: ${unknown.join(', ')}`)
  return 0
}
