// Whether conversations are saved: the user's choice, which all tabs share. If it cannot be stored, it holds for this visit.

const key = 'heed-keep-conversations'
let here: boolean | undefined

export function isOn(): boolean {
  try {
    return here ?? localStorage.getItem(key) !== 'no'
  } catch {
    return here ?? true
  }
}

export function turn(on: boolean): void {
  here = undefined
  try {
    if (on) localStorage.removeItem(key)
    else localStorage.setItem(key, 'no')
  } catch {
    here = on
  }
}
