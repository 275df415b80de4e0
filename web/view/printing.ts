// Printing: all of the page that says something, or the lesson alone. What each is on paper is in styles/print.css.
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
    print() // a phone may come back from it before it prints
  })
  addEventListener('afterprint', end)
}
