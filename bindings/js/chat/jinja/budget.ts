// Limits the work of a template, which comes with a model from anywhere and must end in any case.
import { TemplateError } from './error.js'

const steps = 400_000
const mostDepth = 120
const mostBits = 4096

/** Counts the cost of a prompt over all attempts to render it. A step is an operation, an item, or 16 characters copied. */
export class Budget {
  private left: number
  private depth = 0

  /** A longer input allows more steps. */
  constructor(inputLength: number) {
    this.left = steps + 8 * inputLength
  }

  spend(cost = 1): void {
    this.left -= cost
    if (this.left < 0) throw new TemplateError('SecurityError', 'the template takes too many steps: it was stopped')
  }

  /** The cost of characters that are copied or read. */
  spendText(length: number): void {
    this.spend(1 + (length >> 4))
  }

  /** Runs something that may be recursive. */
  nested<Result>(run: () => Result): Result {
    if (++this.depth > mostDepth) throw new TemplateError('SecurityError', 'the template nests too deeply: it was stopped')
    try {
      return run()
    } finally {
      this.depth--
    }
  }

  /** Limits the size of integers, which is unlimited in Python. */
  checkBits(bits: number): void {
    if (bits > mostBits) throw new TemplateError('OverflowError', 'a number in the template is too large')
  }
}
