import type { SwitchName } from '../../../../kernel/switches.ts'

/** How a page is shown: whole, or small (embedded in another page, or narrow). */
export type ShownAs = 'desktop' | 'h5'

const smallBelowPx = 600

export function shownAs({ isEmbedded, widthPx }: { isEmbedded: boolean; widthPx: number }): ShownAs {
  return isEmbedded || widthPx < smallBelowPx ? 'h5' : 'desktop'
}

/** The switch of the console's own sign-in on a page that says it is shown so; an unknown word counts as the whole one. */
export function ownSignInSwitch(said: string | undefined): SwitchName {
  return said === 'h5' ? 'h5UseAgcLoginSwitch' : 'useAgcLoginSwitch'
}

/** Who may sign in by the console's own means: anybody while the switch is on, staff always, so that nobody is locked out. */
export function maySignInByOwn(isOn: boolean, account: { staffRoles: readonly string[] }): boolean {
  return isOn || account.staffRoles.length > 0
}
