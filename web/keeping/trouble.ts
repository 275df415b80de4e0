// The reason why a conversation is not saved, as a sentence with a remedy.

const nameOf = (error: unknown): string => (error instanceof DOMException ? error.name : '')

export function troubleOf(error: unknown): string {
  switch (nameOf(error)) {
    case 'QuotaExceededError':
      return 'The browser has no room left, so the latest turns are kept in this tab only: delete earlier conversations under “History”, or export this one.'
    case 'VersionError':
      return 'A newer version of this page keeps the conversations of this browser: reload the page, and until then export what you need.'
    default:
      return 'This window keeps no conversations (private browsing, for example): export this one if you need it later.'
  }
}
