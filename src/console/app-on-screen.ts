import { useEffect } from 'react'
import { stored } from './stored.ts'

/** Keeps which app is on screen, for the analytics of the console (`appInfo` of the specification, section 3). */
export function useAppOnScreen(app: { appId: string; packageType: string } | undefined): void {
  const { appId, packageType } = app ?? {}
  useEffect(() => {
    if (appId && packageType) stored.set('appInfo', { appID: appId, childType: packageType })
  }, [appId, packageType])
}
