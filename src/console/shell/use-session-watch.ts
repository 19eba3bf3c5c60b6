import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { pageLifeMs } from '../../kernel/wire.ts'
import { mode } from '../mode.ts'
import { giveUpSession, refreshSession } from '../refresh.ts'
import { expiry } from '../session.ts'

const firstRequestAt = Date.now()

/** Renews the session before it lapses, and reloads a page whose first request is older than six hours. */
export function useSessionWatch(): void {
  const { pathname } = useLocation()

  useEffect(() => {
    if (pathname && Date.now() - firstRequestAt > pageLifeMs) location.reload()
  }, [pathname])

  useEffect(() => {
    const look = async () => {
      if (document.visibilityState !== 'visible' || mode.skipsRefresh() || mode.isDemoProject()) return
      const now = expiry()
      if (now === 'hard' || now === 'none') await giveUpSession()
      else if (now !== 'fresh' && !(await refreshSession()) && expiry() !== 'near') await giveUpSession()
    }
    const timer = setInterval(look, 60_000)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}
