// How much a template may do: it comes with a model, from anywhere, and must end whatever it says.
import { TemplateError } from './error.js'

const steps = 400_000
const mostDepth = 120
const mostBits = 4096

/** Counts what a prompt costs, over all attempts at it. A step is an operation, an item looked at, or some characters copied. */
export class Budget {
  private left: number
  private depth = 0

  /** What is read may be long: so much more may be done. */
  constructor(inputLength: number) {
    this.left = steps + 8 * inputLength
  }

  spend(cost = 1): void {
    this.left -= cost
    if (this.left < 0) throw new TemplateError('SecurityError', 'the template takes too many steps: it was stopped')
  }

  /** Characters that are copied or looked at. */
  spendText(length: number): void {
    this.spend(1 + (length >> 4))
  }

  /** Runs something that may run itself again. */
  nested<Result>(run: () => Result): Result {
    if (++this.depth > mostDepth) throw new TemplateError('SecurityError', 'the template nests too deeply: it was stopped')
    try {
      return run()
    } finally {
      this.depth--
    }
  }

  /** Numbers have no bound in Python; here they have one. */
  checkBits(bits: number): void {
    if (bits > mostBits) throw new TemplateError('OverflowError', 'a number in the template is too large')
  }
}
