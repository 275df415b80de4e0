// React as one module of a page, with everything that heed/react and its tests import.
export {
  createElement,
  StrictMode,
  useCallback,
  useEffect,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
export { createRoot } from 'react-dom/client'
