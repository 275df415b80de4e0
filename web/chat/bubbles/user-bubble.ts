// The bubble of a user message, as typed. Editing it adds an alternative message and keeps the original.
import { isSound, preview } from '../../media/medium.js'
import { button, make } from '../../support/dom.js'
import type { UserTurn } from '../../conversation/turns.js'
import { type Bubble, type BubbleActions, copyButton } from './bubble.js'
import { makeStepper } from './stepper.js'

const thumbnailSide = 160

export function userBubble(turn: UserTurn, actions: BubbleActions): Bubble {
  const stepper = makeStepper(turn, (to, step) => actions.choose(to, step))
  const text = make('p', { className: 'said', dir: 'auto' }, turn.text)
  const pictures = make(
    'ul',
    { className: 'said-pictures', ariaLabel: turn.pictures.some(isSound) ? 'Pictures and sounds' : 'Pictures' },
    ...turn.pictures.map(picture => make('li', {}, preview(picture, thumbnailSide))),
  )
  pictures.hidden = turn.pictures.length === 0
  const edit = button(
    'Edit',
    () => {
      open(true)
      editor?.querySelector('textarea')?.focus()
      editor?.scrollIntoView({ block: 'nearest' }) // a sheet may cover the buttons: the focus scrolls only to the text
    },
    'Edit this message',
  )
  const answer = button('Get an answer', () => actions.answer(turn))
  const buttons = make('div', { className: 'turn-actions' }, stepper.place, edit, copyButton(turn), answer)
  const place = make('li', { className: 'turn user' }, make('h3', { className: 'visually-hidden' }, 'You'), pictures, text, buttons)
  let editor: HTMLFormElement | undefined
  text.hidden = turn.text === ''

  /** The form only exists while it is open, because browsers' work for passwords grows with the square of the number of forms. */
  function open(isOpen: boolean): void {
    text.hidden = isOpen || turn.text === ''
    buttons.hidden = isOpen
    editor?.remove()
    editor = undefined
    if (!isOpen) return name()
    const box = make('textarea', { rows: 2, ariaLabel: 'Your message', dir: 'auto', value: turn.edited?.text ?? turn.text })
    const keep = (isOpen: boolean) => {
      turn.edited = box.value === turn.text ? undefined : { text: box.value, isOpen }
    }
    box.addEventListener('input', () => keep(true))
    editor = makeEditor(box, (end, edited) => {
      keep(false)
      if (end !== 'leave') turn.edited = undefined
      box.dispatchEvent(new Event('change', { bubbles: true })) // notifies listeners of the box's new state
      open(false)
      edit.focus()
      if (end === 'send') actions.edit(turn, edited)
    })
    text.after(editor)
  }

  /** Names the button, which continues an edit that was begun. */
  function name(): void {
    edit.textContent = turn.edited ? 'Go on editing' : 'Edit'
    edit.ariaLabel = `${edit.textContent} this message`
  }

  return {
    place,
    stepper,
    parts: [{ element: text, raw: turn.text }],
    update() {
      place.classList.toggle('dropped', turn.isDropped)
      answer.hidden = turn.after.length > 0
      name()
      if (turn.edited?.isOpen && !editor) open(true)
    },
    focus() {
      edit.focus({ preventScroll: true })
    },
  }
}

/** A form around `box`. `close` is called when its text is sent, given up, or left for later. */
function makeEditor(box: HTMLTextAreaElement, close: (end: 'send' | 'cancel' | 'leave', text: string) => void): HTMLFormElement {
  const form = make(
    'form',
    { className: 'edit' },
    box,
    make(
      'div',
      { className: 'turn-actions' },
      make('button', { type: 'submit' }, 'Send'),
      button('Cancel', () => close('cancel', '')),
    ),
  )
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (box.value.trim() !== '') close('send', box.value)
  })
  box.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close('leave', '')
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      form.requestSubmit()
    }
  })
  return form
}
