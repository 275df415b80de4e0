// Which file of the user is open in this tab, from the disk or from the store: a page cannot open it again by itself after a reload, but it can say which it was, and a stored
// copy it can open.
import { isRecord } from '../conversation/file.js'
import type { KeptModel } from './record.js'
import { isOn } from './switch.js'

const key = 'heed-file'

/** `model` is what is open; what is no file of the user is forgotten. */
export function rememberFile(model?: KeptModel): void {
  try {
    if (model && (model.file ?? model.data?.startsWith('store:')) && isOn()) sessionStorage.setItem(key, JSON.stringify(model))
    else sessionStorage.removeItem(key)
  } catch {} // it is not remembered
}

/** What was open before a reload; undefined if that was no file of the user. */
export function fileBefore(): KeptModel | undefined {
  try {
    const model: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isRecord(model) && typeof model.name === 'string' ? (model as unknown as KeptModel) : undefined
  } catch {
    return undefined
  }
}
