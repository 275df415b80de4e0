// Printing: everything informative on the page, or only the lesson. styles/print.css has the details.
import { byId } from '../support/dom.js'

export function offerPrinting(): void {
  const { dataset } = document.documentElement
  const end = () => {
    delete dataset.printing
  }
  byId('print', HTMLButtonElement).addEventListener('click', () => {
    end()
    print()
  })
  byId('print-lesson', HTMLButtonElement).addEventListener('click', () => {
    dataset.printing = 'lesson'
    print() // on a phone, print may return before it prints
  })
  addEventListener('afterprint', end)
}
