// On-screen keyboards, which cover half of a phone, and input methods.

/**
 * Whether focusing a text box opens an on-screen keyboard over the text that the user is reading; boxes are then only focused for
 * users who want to write.
 */
export const opensKeyboard = (): boolean => matchMedia('(pointer: coarse)').matches

/** The code of keys that an input method has handled: https://w3c.github.io/uievents/#determine-keydown-keyup-keyCode */
const handledCode = 229

/**
 * Keeps from the page the keys of an input method, with which letters such as Japanese ones are composed: Enter accepts a word
 * there, and Escape discards it. In Safari, only the code tells, because the composition ends before the key.
 */
export function leaveInputMethods(): void {
  const leave = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === handledCode) event.stopImmediatePropagation()
  }
  addEventListener('keydown', leave, { capture: true })
}
