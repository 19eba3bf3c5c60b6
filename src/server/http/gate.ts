import type { FastifyRequest } from 'fastify'
import { type CallSpec, type Contract, zoneRuleOf } from '../../kernel/contract.ts'
import { commonErrors, refuse } from '../../kernel/errors.ts'
import { headers } from '../../kernel/wire.ts'
import { type ZoneId, zoneOfSite } from '../../kernel/zones.ts'
import { chainOf } from '../call-chain.ts'
import { type Gatekeeper, nobody, type SignedIn } from '../gatekeeper.ts'
import type { ProvenKey } from '../inside.ts'
import type { CallPlace } from '../place.ts'
import type { Server } from '../server.ts'
import { admitBearer, admitProgram, bearerOfKey, type PlaceBase } from './bearer-gate.ts'
import { bearerOf, credentialOf } from './credential.ts'

/** Where a call of the anonymous audience goes; nothing to wait for, so devices are not made to. */
export function admitAnybody(server: Server, contract: Contract, call: CallSpec, request: FastifyRequest): CallPlace {
  const zone = zoneFor(server, request, contract, call, undefined)
  return { ...baseOf(server, request), caller: nobody, teamId: null, zone, scope: 'none' }
}

/**
 * Decides, before a body is read, whether a request may reach its handler, and where: session, CSRF, team, permission,
 * zone. 401 carries its reason; another's team is no different from one that does not exist.
 */
export async function admit(
  server: Server,
  gatekeeper: Gatekeeper,
  contract: Contract,
  call: CallSpec,
  request: FastifyRequest,
): Promise<CallPlace> {
  const token = bearerOf(request)
  if (token !== undefined)
    return admitBearer(server, gatekeeper, call, request, token, {
      base: baseOf(server, request),
      zoneFor: siteId => zoneFor(server, request, contract, call, siteId),
    })
  const signedIn = await signedInOf(server, gatekeeper, call, request)
  const base = { ...baseOf(server, request), ...(signedIn.isVisitor && { isReadOnly: true as const }) }
  if (call.method !== 'GET') {
    checkCsrf(gatekeeper, signedIn, request)
    await gatekeeper.assertSigned?.(signedIn, call, one(request.headers[headers.team]))
  }
  const caller = {
    kind: 'user' as const,
    accountId: signedIn.accountId,
    name: signedIn.name,
    staffRoles: signedIn.staffRoles,
    sessionId: signedIn.sessionId,
  }
  if (call.who === 'manage') {
    const permissions = signedIn.staffPermissions
    if (signedIn.staffRoles.length === 0) refuse(commonErrors.notAllowed, { permission: `staff ${call.may}` })
    if (call.may !== 'none' && !permissions.has(call.may)) refuse(commonErrors.notAllowed, { permission: call.may })
    const zone = zoneFor(server, request, contract, call, undefined)
    return { ...base, caller: { ...caller, permissions }, teamId: null, zone, scope: 'all' }
  }
  if (call.team === 'none') {
    const zone = zoneFor(server, request, contract, call, undefined)
    return { ...base, caller: { ...caller, permissions: new Set() }, teamId: null, zone, scope: 'none' }
  }
  const membership = signedIn.membership(teamHeader(request)) ?? refuse(commonErrors.notOfTeam)
  if (call.may !== 'none' && !membership.permissions.has(call.may))
    refuse(commonErrors.notAllowed, { permission: call.may })
  if (call.who === 'sp' && !membership.isProvider) refuse(commonErrors.noProvider)
  const zone = zoneFor(server, request, contract, call, membership.siteId)
  const { teamId, permissions, scope: memberScope } = membership
  return { ...base, caller: { ...caller, permissions }, teamId, zone, scope: { team: teamId }, memberScope }
}

/** Where a call goes that a key of a project makes: as far as a program's, and no further than its project. */
export async function admitKey(
  server: Server,
  gatekeeper: Gatekeeper,
  { contract, call, request, key }: { contract: Contract; call: CallSpec; request: FastifyRequest; key: ProvenKey },
): Promise<CallPlace> {
  const bearer = await bearerOfKey(gatekeeper, key)
  return admitProgram(server, gatekeeper, call, request, bearer, {
    base: baseOf(server, request),
    zoneFor: siteId => zoneFor(server, request, contract, call, siteId),
  })
}

function baseOf(server: Server, request: FastifyRequest): PlaceBase {
  const language = request.headers[headers.language] === 'zh' ? 'zh' : 'en'
  const base: PlaceBase = { requestId: request.id, ip: request.ip, language }
  const revision = revisionOf(request)
  const led = chainOf(server, request.headers)
  if (revision !== undefined) base.revision = revision
  if (led) base.led = led
  return base
}

async function signedInOf(
  server: Server,
  gatekeeper: Gatekeeper,
  call: CallSpec,
  request: FastifyRequest,
): Promise<SignedIn> {
  const found = await gatekeeper.identify(credentialOf(request, server.config))
  const productId = one(request.headers[headers.product])
  if (!found.signedIn && productId !== undefined && call.who === 'cp') {
    const visitor = await gatekeeper.visit(productId)
    if (visitor && call.method !== 'GET') refuse(commonErrors.demoReadOnly)
    if (visitor) return visitor
  }
  if (!found.signedIn) {
    refuse(found.reason === 'accessToken invalid' ? commonErrors.sessionExpired : commonErrors.noSession)
  }
  const isSoftExpired = server.clock.now() >= found.signedIn.softExpireAt
  if (isSoftExpired && !call.afterSoftExpiry) refuse(commonErrors.sessionExpired)
  return found.signedIn
}

function checkCsrf(gatekeeper: Gatekeeper, signedIn: SignedIn, request: FastifyRequest): void {
  const origin = request.headers.origin
  if (origin === 'null') refuse(commonErrors.csrf)
  const csrf = one(request.headers[headers.csrf])
  const teamCsrf = one(request.headers[headers.teamCsrf])
  const teamId = one(request.headers[headers.team])
  const sent = { ...(csrf ? { csrf } : {}), ...(teamCsrf ? { teamCsrf } : {}), ...(teamId ? { teamId } : {}) }
  if (!gatekeeper.isCsrfRight(signedIn, sent)) refuse(commonErrors.csrf)
}

function teamHeader(request: FastifyRequest): string {
  const value = one(request.headers[headers.team])
  if (value === undefined) refuse(commonErrors.teamMissing)
  if (!/^[1-9][0-9]{0,18}$/.test(value)) refuse(commonErrors.notOfTeam)
  return value
}

/** The zone named in the path wins, else the team's, else the first this process serves. */
function zoneFor(
  server: Server,
  request: FastifyRequest,
  contract: Contract,
  call: CallSpec,
  siteId: number | undefined,
): ZoneId {
  const named = (request.raw as { zone?: ZoneId }).zone
  const zone = named ?? (siteId === undefined ? server.config.zones[0] : zoneOfSite(siteId))
  if (zone === undefined) refuse(commonErrors.zoneInvalid)
  if (zoneRuleOf(contract, call) === 'current' && !server.config.zones.includes(zone)) refuse(commonErrors.zoneInvalid)
  return zone
}

function revisionOf(request: FastifyRequest): number | undefined {
  const header = one(request.headers['if-match'])
  if (header === undefined) return undefined
  const value = Number(header.replaceAll('"', ''))
  return Number.isInteger(value) ? value : undefined
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? undefined : value
}
