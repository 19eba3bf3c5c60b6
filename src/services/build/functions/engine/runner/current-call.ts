import { AsyncLocalStorage } from 'node:async_hooks'

interface CurrentCall {
  id: string
  /** How many functions led there, in words that the server signed. */
  mark: string | undefined
}

/** The call that something belongs to, however deep in its promises it is done. One store: each costs a call a copy of all. */
export const currentCall = new AsyncLocalStorage<CurrentCall>()
