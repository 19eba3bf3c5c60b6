import { randomBytes } from 'node:crypto'
import { siteOfZone } from '../../../kernel/zones.ts'
import { systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { createAccount, findAccount, setHomeTeam } from '../session/public.ts'
import { foundTeam, joinTeam } from './public.ts'
import type { StaffRole, TeamRole } from './rules.ts'

export interface FirstSignIn {
  who: string
  loginName: string
  password: string
}

const first: readonly { who: string; loginName: string; teamRoles: TeamRole[]; staffRoles: StaffRole[] }[] = [
  {
    who: 'administrator',
    loginName: 'admin',
    teamRoles: ['leader'],
    staffRoles: ['storeAdministrator', 'storeOperator'],
  },
  { who: 'developer', loginName: 'developer', teamRoles: ['developer'], staffRoles: [] },
  { who: 'operations', loginName: 'operations', teamRoles: ['operations'], staffRoles: [] },
  { who: 'reviewer', loginName: 'reviewer', teamRoles: [], staffRoles: ['reviewer', 'seniorReviewer'] },
]

/**
 * Makes the first accounts and a team they work in, with random passwords, when there is no account yet. Returns the
 * sign-ins to print; null when the installation is in use.
 */
export async function setUpFirstTeam(server: Server): Promise<FirstSignIn[] | null> {
  const zone = server.config.zones[0] ?? 'CN'
  const ctx = systemContext(server, zone, { name: 'first run' })
  return ctx.transact(async inner => {
    await inner.transaction('home').query('LOCK TABLE accounts IN EXCLUSIVE MODE')
    if (await findAccount(inner, 'admin')) return null
    const siteId = siteOfZone(zone)
    const made: (FirstSignIn & { accountId: string; teamRoles: TeamRole[] })[] = []
    for (const { who, loginName, teamRoles, staffRoles } of first) {
      const password = randomBytes(9).toString('base64url')
      const accountId = await createAccount(inner, { loginName, name: who, password, siteId, staffRoles })
      made.push({ who, loginName, password, accountId, teamRoles })
    }
    const [leader, ...others] = made
    if (!leader) return null
    const team = await foundTeam(inner, {
      name: 'First team',
      countryCode: zone === 'DE' ? 'DE' : zone,
      siteId,
      leaderAccountId: leader.accountId,
    })
    await setHomeTeam(inner, leader.accountId, team.teamId, siteId)
    for (const { accountId, teamRoles } of others) {
      if (teamRoles.length === 0) continue
      await joinTeam(inner, team.teamId, accountId, teamRoles)
      await setHomeTeam(inner, accountId, team.teamId, siteId)
    }
    return made.map(({ who, loginName, password }) => ({ who, loginName, password }))
  })
}
