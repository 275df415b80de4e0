// Remembers the user's file that is open in this tab, from the disk or from the store: after a reload, a page cannot open a file
// from the disk by itself, but it can name it, and it can open a stored copy.
import { isRecord } from '../conversation/file.js'
import type { KeptModel } from './record.js'
import { isOn } from './switch.js'

const key = 'heed-file'

/** `model` is the open model; anything but a file of the user clears the memory. */
export function rememberFile(model?: KeptModel): void {
  try {
    if (model && (model.file ?? model.data?.startsWith('store:')) && isOn()) sessionStorage.setItem(key, JSON.stringify(model))
    else sessionStorage.removeItem(key)
  } catch {} // it is not remembered
}

/** The file that was open before a reload; undefined if it was not a file of the user. */
export function fileBefore(): KeptModel | undefined {
  try {
    const model: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isRecord(model) && typeof model.name === 'string' ? (model as unknown as KeptModel) : undefined
  } catch {
    return undefined
  }
}
