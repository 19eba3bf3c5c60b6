import type { FastifyRequest } from 'fastify'
import type { CallSpec } from '../../kernel/contract.ts'
import { commonErrors, refuse } from '../../kernel/errors.ts'
import { covers } from '../../kernel/permissions.ts'
import { headers } from '../../kernel/wire.ts'
import type { ZoneId } from '../../kernel/zones.ts'
import type { Bearer, Gatekeeper } from '../gatekeeper.ts'
import type { ProvenKey } from '../inside.ts'
import type { CallPlace } from '../place.ts'
import type { Server } from '../server.ts'

/** What a request itself says of the place that its call goes to. */
export type PlaceBase = Pick<CallPlace, 'requestId' | 'ip' | 'language' | 'revision' | 'led'>

interface Frame {
  base: PlaceBase
  zoneFor(siteId: number | undefined): ZoneId
}

/**
 * Where a call of a program with a token goes. No cookie is looked at and no CSRF header is needed, for no browser sends
 * a token by itself. Team and zone are the token's; what concerns a person or the store's staff is refused.
 */
export async function admitBearer(
  server: Server,
  gatekeeper: Gatekeeper,
  call: CallSpec,
  request: FastifyRequest,
  token: string,
  frame: Frame,
): Promise<CallPlace> {
  const judged = await gatekeeper.identifyToken(token)
  if (!judged.bearer) {
    const { reason } = judged
    refuse(reason === 'expired' ? commonErrors.tokenExpired : commonErrors.tokenInvalid, { reason })
  }
  return admitProgram(server, gatekeeper, call, request, judged.bearer, frame)
}

/** What a key of a project may do for the account that made it. Refuses a key for which nobody answers any more. */
export async function bearerOfKey(gatekeeper: Gatekeeper, key: ProvenKey): Promise<Program> {
  const { keyId, accountId, teamId, projectId, zone } = key
  const membership = await gatekeeper.membershipOf(accountId, teamId)
  if (!membership) refuse(commonErrors.tokenInvalid, { reason: 'nobody answers for it' })
  return {
    ...{ keyId, name: keyId, accountId, teamId, siteId: membership.siteId, zone },
    permissions: new Set([...key.permissions].filter(one => membership.permissions.has(one))),
    scope: { projects: new Set(covers(membership.scope, { projectId }) ? [projectId] : []), apps: new Set() },
    isForPersons: () => false,
  }
}

/** A program, by its token or by its key. */
type Program = Omit<Bearer, 'clientId'> & ({ clientId: string } | { keyId: string })

/** Where a call of a program goes whose token or key is proved. */
export async function admitProgram(
  server: Server,
  gatekeeper: Gatekeeper,
  call: CallSpec,
  request: FastifyRequest,
  bearer: Program,
  frame: Frame,
): Promise<CallPlace> {
  const named = request.headers[headers.team]
  if (named !== undefined && named !== bearer.teamId) refuse(commonErrors.notOfTeam)
  if (!isForPrograms(call)) refuse(commonErrors.personNeeded)
  if (call.may !== 'none') checkRight(bearer, call.may)
  if (call.method !== 'GET') {
    // Who answers for the program has to have signed what he would for a write of his own.
    const membership = await gatekeeper.membershipOf(bearer.accountId, bearer.teamId)
    await gatekeeper.assertSigned?.({ accountId: bearer.accountId, membership: () => membership }, call, bearer.teamId)
  }
  const zone = zoneOfCall(server, request, bearer, frame)
  const { accountId, name, teamId, permissions, scope } = bearer
  const by = 'clientId' in bearer ? { clientId: bearer.clientId } : { keyId: bearer.keyId }
  return {
    ...frame.base,
    caller: { kind: 'user', accountId, name, permissions, staffRoles: [], sessionId: null, ...by },
    teamId,
    zone,
    scope: { team: teamId },
    memberScope: scope,
  }
}

/** Programs call what concerns a team and needs a right, and what says itself that it is open to them. */
export function isForPrograms(call: CallSpec): boolean {
  return call.who === 'cp' && call.team !== 'none' && (call.may !== 'none' || call.openToPrograms === true)
}

function checkRight(bearer: Program, permission: string): void {
  if (bearer.isForPersons(permission)) refuse(commonErrors.personNeeded)
  if (!bearer.permissions.has(permission)) refuse(commonErrors.clientLacks, { permission })
}

/** The token's zone: an address that names another one is refused, also where the data stands at home. */
function zoneOfCall(server: Server, request: FastifyRequest, bearer: Program, frame: Frame): ZoneId {
  const named = (request.raw as { zone?: ZoneId }).zone
  if (named !== undefined && named !== bearer.zone)
    refuse(commonErrors.tokenZone, { tokenZone: bearer.zone, zone: named })
  if (named !== undefined) return frame.zoneFor(bearer.siteId)
  if (!server.config.zones.includes(bearer.zone)) refuse(commonErrors.zoneInvalid)
  return bearer.zone
}
