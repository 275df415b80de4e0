// On-screen keyboards, which cover half of a phone, and input methods.
import { isOfInputMethod } from '#elements/support/input-methods.js'

/**
 * Whether focusing a text box opens an on-screen keyboard over the text that the user is reading; boxes are then only focused for
 * users who want to write.
 */
export const opensKeyboard = (): boolean => matchMedia('(pointer: coarse)').matches

/** Keeps the keys of an input method from the page. */
export function leaveInputMethods(): void {
  const leave = (event: KeyboardEvent) => {
    if (isOfInputMethod(event)) event.stopImmediatePropagation()
  }
  addEventListener('keydown', leave, { capture: true })
}
