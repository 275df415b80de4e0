// Errors that the user can correct; they are printed in one line, without a stack.
export class UsageError extends Error {}
