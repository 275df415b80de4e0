// On-screen keyboards, which cover half of a phone.

/**
 * Whether focusing a text box opens an on-screen keyboard over the text that the user is reading; boxes are then only focused for
 * users who want to write.
 */
export const opensKeyboard = (): boolean => matchMedia('(pointer: coarse)').matches
