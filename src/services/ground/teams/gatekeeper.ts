import type { Gatekeeper, Identified, SignedIn } from '../../../server/gatekeeper.ts'
import type { Server } from '../../../server/server.ts'
import { createSessionKeeper } from '../session/public.ts'
import { forgetInvited, teamsLedBy } from './leaving.ts'
import { MembershipCache } from './memberships.ts'
import { permissionsOf, staffMatrix } from './rules.ts'
import { VisitorDoor } from './visitors/door.ts'

/** What is left are programs: the service of API clients adds them. */
type PeopleKeeper = Omit<Gatekeeper, 'identifyToken'>

/** Answers the frame's question who calls, from sessions and memberships in memory. */
export function createGatekeeper(server: Server): PeopleKeeper {
  const sessions = createSessionKeeper(server, { teamsLedBy, forgetInvited })
  const memberships = new MembershipCache(server)
  const visitors = new VisitorDoor(server, memberships)
  return {
    start: () => {
      sessions.listen()
      memberships.listen()
    },
    identify: async (token): Promise<Identified> => {
      const found = await sessions.identify(token)
      if (!found.session) return { signedIn: null, reason: found.reason }
      const { account, sessionId, softExpireAt } = found.session
      const teams = await memberships.of(account.accountId)
      const signedIn: SignedIn = {
        accountId: account.accountId,
        name: account.name,
        sessionId,
        staffRoles: account.staffRoles,
        staffPermissions: staffPermissionsOf(account.staffRoles),
        softExpireAt,
        membership: teamId => teams.get(teamId) ?? null,
      }
      return { signedIn }
    },
    visit: productId => visitors.open(productId),
    membershipOf: async (accountId, teamId) => (await memberships.of(accountId)).get(teamId) ?? null,
    isCsrfRight: (signedIn, sent) => sessions.isCsrfRight(signedIn.sessionId, sent),
  }
}

const bySet = new Map<string, ReadonlySet<string>>()

function staffPermissionsOf(roles: readonly string[]): ReadonlySet<string> {
  const key = roles.join(' ')
  let permissions = bySet.get(key)
  if (!permissions) {
    permissions = permissionsOf(roles, staffMatrix)
    bySet.set(key, permissions)
  }
  return permissions
}
