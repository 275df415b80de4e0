// heed list: the stored models, most recently used first, as a table or as JSON.
import { modelStore } from 'heed'
import { readArguments } from './arguments.js'
import { commandOptions } from './options.generated.js'
import { tell, writeText } from './output.js'
import { bytesText, percentOf, type Stored } from './stored.js'

export async function list(args: string[]): Promise<number> {
  const { values } = readArguments(args, commandOptions.list.options, 0)
  const all = await modelStore.list()
  if (values.json) writeText(`${JSON.stringify(all, undefined, 2)}\n`)
  else if (all.length === 0) tell('no models are stored; npx heed download SOURCE stores one')
  else writeText(tableOf([['SOURCE', 'SIZE', 'STATE', 'LAST USED'], ...all.map(row)]))
  return 0
}

function row({ source, revision, bytes, complete, lastUsed, total }: Stored): string[] {
  const percent = percentOf({ bytes, total })
  const state = complete ? 'complete' : percent === undefined ? 'partial' : `${percent} %`
  return [
    revision === undefined ? source : `${source}@${revision}`,
    bytesText(bytes),
    state,
    lastUsed?.toISOString().slice(0, 10) ?? '',
  ]
}

/** Rows as text with aligned columns; the second column, the sizes, is aligned to the right. */
function tableOf(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map(row => row[at]!.length)))
  const line = (row: string[]) =>
    row.map((cell, at) => (at === 1 ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))).join('  ')
  return rows.map(row => `${line(row).trimEnd()}\n`).join('')
}
