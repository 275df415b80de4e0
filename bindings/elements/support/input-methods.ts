// Keys of input methods, with which letters such as Japanese ones are composed.

/** The code of keys that an input method has handled: https://w3c.github.io/uievents/#determine-keydown-keyup-keyCode */
const handledCode = 229

/**
 * Whether a key belongs to an input method: Enter accepts a word there, and Escape discards it. In Safari, only the code tells,
 * because the composition ends before its last key.
 */
export const isOfInputMethod = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === handledCode
