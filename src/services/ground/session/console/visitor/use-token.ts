import { useState } from 'react'
import { takeOwnSearch } from './own-search.ts'

/** The secret of the link that led here. */
export function useToken(): string {
  const [token] = useState(() => takeOwnSearch(['token']).get('token') ?? '')
  return token
}
