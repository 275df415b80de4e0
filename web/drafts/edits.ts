// The user's edits of models.
import type { OwnEdits, OwnLists } from '../edits/own.js'
import type { Desk } from '../keeping/desk.js'
import type { Keeper } from '../keeping/keeper.js'
import { asRecord, asText, asTexts } from './reading.js'

const kind = 'edits '

export function keepEdits(desk: Desk, own: OwnEdits, keeper: Keeper): void {
  const names = [...desk.found.keys()].filter(name => name.startsWith(kind))
  own.bringBack(
    new Map(
      names.map(name => {
        const { list, aside } = asRecord<OwnLists>(desk.found.get(name))
        return [name.slice(kind.length), { list: asText(list), aside: asTexts(aside) }]
      }),
    ),
  )
  own.changed.watch(changed => {
    if (changed) desk.keep(kind + changed.key, changed.lists && (() => changed.lists))
  })
  keeper.clears.watch(clears => {
    if (clears > 0) own.clear()
  })
}
