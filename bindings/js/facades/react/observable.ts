// A state outside of React, in a component.
import { useSyncExternalStore } from 'react'
import type { Observable } from '../observable.js'

export const useObservable = <State>({ get, subscribe }: Observable<State>): State => useSyncExternalStore(subscribe, get, get)
