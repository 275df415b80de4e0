// What stands for no arguments, in calls that models wrote and in those that servers and clients keep.

/** Whether a JSON text is nothing, null, an empty string, or an empty list, as PHP writes an empty object. */
export const isNone = (text: string): boolean => /^\s*(?:null|"\s*"|\[\s*\])?\s*$/.test(text)
