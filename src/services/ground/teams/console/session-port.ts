import { client } from '../../../../console/client.ts'
import type { SessionPort } from '../../../../console/session.ts'
import { session } from '../../session/contract.ts'
import { teams } from '../contract.ts'
import { visitors } from '../visitors/contract.ts'

const teamCalls = client(teams)
const sessionCalls = client(session)
const visitorCalls = client(visitors)

/** The frame's hold on the session: who is signed in and what may be done comes from teams, the rest from session. */
export const sessionPort: SessionPort = {
  read: async teamId => {
    const { account, ...rest } = await teamCalls.getUserInfo({ query: teamId ? { teamId } : {} })
    return { ...rest, account: { ...account, id: account.accountId } }
  },
  switchTeam: teamId => teamCalls.switchTeam({ body: { teamId } }),
  refresh: async () => {
    await sessionCalls.refresh({})
    return {}
  },
  logout: () => sessionCalls.logout({}),
  visit: async () => {
    const { productId, teamId } = await visitorCalls.getVisitorProject({})
    return productId === null || teamId === null ? null : { productId, teamId }
  },
}
