// Keyboards on the screen, which cover half of a phone.

/** Whether focusing a text box opens one, over what the user is reading: then only those who want to write are taken there. */
export const opensKeyboard = (): boolean => matchMedia('(pointer: coarse)').matches
