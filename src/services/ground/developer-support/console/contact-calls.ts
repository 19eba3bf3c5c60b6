import { useEffect, useState } from 'react'
import { client } from '../../../../console/client.ts'
import { serverNow } from '../../../../console/server-clock.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { developerSupport } from '../contract.ts'

export const api = client(developerSupport)

export type ContactView = Answer<typeof developerSupport.calls.listContacts>['list'][number]

/** The server's time, told anew each second: for what runs out while people look at it. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
