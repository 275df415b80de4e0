// The representations of missing arguments, in calls by models and in those stored by servers and clients.

/** Whether a JSON text is empty, null, an empty string, or an empty list (PHP's form of an empty object). */
export const isNone = (text: string): boolean => /^\s*(?:null|"\s*"|\[\s*\])?\s*$/.test(text)
