// Subscribes a component to a state outside of React.
import { useSyncExternalStore } from 'react'
import type { Observable } from '../observable.js'

export const useObservable = <State>({ get, subscribe }: Observable<State>): State => useSyncExternalStore(subscribe, get, get)
