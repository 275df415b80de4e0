// Asks before a link loads a model: whoever made the link chose the file, which is downloaded and whose template runs.
import { fileName } from '../model/address.js'
import { make } from '../support/dom.js'
import { foreign } from '../support/format.js'

let ask: HTMLDialogElement | undefined

/** Answers an open question with no, because the page has left the address that it was about. */
export function closeQuestion(): void {
  ask?.close()
  ask = undefined
}

/**
 * Resolves to whether the user wants the model, which may have a projector. A later question replaces this one, which is then
 * answered with no.
 */
export function askToOpen(address: string, host: string, projector?: string): Promise<boolean> {
  closeQuestion()
  const title = make('h2', { id: 'ask-title' }, `Open a model from ${host}?`)
  const open = make('button', { type: 'button', className: 'primary' }, `Download it from ${host}`)
  const leave = make('button', { type: 'button' }, 'Do not open it')
  const dialog = (ask = make(
    'dialog',
    { className: 'ask' },
    title,
    make(
      'p',
      {},
      `This link names the model “${foreign(fileName(address))}”${projector === undefined ? '' : `, with “${foreign(fileName(projector))}”`}. It is downloaded, runs in this page, and is not stored.`,
    ),
    make('div', { className: 'actions' }, open, leave),
  ))
  dialog.setAttribute('aria-labelledby', title.id)
  open.addEventListener('click', () => dialog.close('open'))
  leave.addEventListener('click', () => dialog.close())
  document.body.append(dialog)
  dialog.showModal()
  return new Promise(resolve =>
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'open')
    }),
  )
}
