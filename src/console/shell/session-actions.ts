import { sessionPort } from '../refresh.ts'
import { chooseTeam, enterSession, leaveSession, mayLogOut } from '../session.ts'
import { queryClient } from '../use-call.ts'

/** Ends the session here and on the server; a second press within ten seconds does nothing. */
export async function signOut(): Promise<void> {
  if (!mayLogOut()) return
  await sessionPort()
    .logout()
    .catch(() => undefined)
  leaveSession()
  queryClient.clear()
  location.hash = '#/sign-in'
}

/** Acts for another team from here on, with the permissions held there. */
export async function switchTeam(teamId: string): Promise<void> {
  await sessionPort().switchTeam(teamId)
  chooseTeam(teamId)
  enterSession(await sessionPort().read(teamId))
  queryClient.clear()
  location.hash = '#/'
}
