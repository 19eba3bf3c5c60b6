import { useState, useSyncExternalStore } from 'react'
import { mode } from '../../../../../console/mode.ts'
import { useVisitorSwitches } from '../../../../../console/page-configuration.ts'
import { ownSignInSwitch, type ShownAs, shownAs } from '../../own-sign-in/rules.ts'

/** Whose accounts the page takes itself: everybody's, those of staff (who asked for it), or nobody's. */
export type OwnSignIn = 'all' | 'staff' | 'none'

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** In another page, or with the app of the embedded mode in the address, which sign-in was sent from. */
const isEmbedded = () => window.parent !== window || mode.appId() !== null
const shownNow = (): ShownAs => shownAs({ isEmbedded: isEmbedded(), widthPx: window.innerWidth })

/** How the page is shown, which it says when somebody signs in, and whose accounts it takes so. */
export function useOwnSignIn(): { said: ShownAs; own: OwnSignIn; askAsStaff: () => void } {
  const said = useSyncExternalStore(subscribe, shownNow)
  const [isStaff, setStaff] = useState(false)
  const isOn = useVisitorSwitches()(ownSignInSwitch(said))
  return { said, own: isOn ? 'all' : isStaff ? 'staff' : 'none', askAsStaff: () => setStaff(true) }
}
