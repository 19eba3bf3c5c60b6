import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, lt } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { holdObjects, objectOf, releaseObjects } from '../../../ground/files/public.ts'
import { appOf, nameHolder } from '../../apps/public.ts'
import { appWithin, type Scope } from '../queries.ts'
import { packageClaims } from '../tables.home.ts'
import { atomicClaims, claimDesk, claims as contract } from './contract.ts'
import { provingKind } from './proving.ts'
import { knownOfHolder, loadClaim, mineOrAgainstMe, moveClaim, ofScope, toClaim } from './queries.ts'
import { claimsInReach } from './reach.ts'
import { type ClaimMethod, claimLimits, claimMethods, domainsOf } from './rules.ts'

async function stateOfName(ctx: Context, packageType: string, packageName: string) {
  const holder = await nameHolder(ctx, packageType, packageName)
  if (!holder) return { state: 'FREE' as const, holder: null, known: null, methods: [] as ClaimMethod[] }
  if (holder.teamId === ctx.teamId)
    return { state: 'YOURS' as const, holder, known: null, methods: [] as ClaimMethod[] }
  const known = await knownOfHolder(ctx, holder)
  const methods = claimMethods.filter(
    method => method === 'DOCUMENT' || (method === 'SIGNATURE' ? known.signers : domainsOf(packageName)).length > 0,
  )
  return { state: holder.reservedUntil === null ? ('HELD' as const) : ('RESERVED' as const), holder, known, methods }
}

const handlersOf = (scope: Scope): Handlers<typeof contract> => ({
  checkName: async (ctx, { body }) => {
    const { state, holder, methods } = await stateOfName(ctx, scope ?? body.packageType, body.packageName)
    const holderMasked = holder && state !== 'YOURS' ? `***${holder.teamId.slice(-4)}` : null
    return {
      state,
      holderMasked,
      reservedUntil: holder?.reservedUntil ?? null,
      methods,
      domains: methods.includes('DOMAIN') ? domainsOf(body.packageName) : [],
    }
  },

  createClaim: async (ctx, { body }) => {
    const app = await appWithin(ctx, body.appId, scope)
    const { packageName } = body
    const found = await stateOfName(ctx, app.packageType, packageName)
    const { holder, known } = found
    if (!holder || !known) refuse(contract.errors.notNeeded, { packageName, state: found.state })
    const method = body.method ?? (found.methods.includes('SIGNATURE') ? 'SIGNATURE' : 'DOCUMENT')
    if (!found.methods.includes(method)) refuse(contract.errors.noCertificate, { packageName })
    const domain = method === 'DOMAIN' ? chosenDomain(packageName, body.domain) : null
    const evidence = body.evidence ?? ''
    if (method === 'DOCUMENT' && evidence.trim() === '') refuse(contract.errors.evidenceMissing, { packageName })
    if (app.lastShelf !== null) refuse(contract.errors.otherName, { packageName: app.packageName ?? '' })
    const now = ctx.now()
    const claimId = ctx.newId()
    const values = {
      claimId,
      claimantTeamId: ctx.teamId,
      appId: app.appId,
      zone: ctx.zone,
      packageType: app.packageType,
      packageName,
      nameKey: packageName.toLowerCase(),
      holderTeamId: holder.teamId,
      holderAppId: holder.appId,
      holderZone: holder.zone,
      method,
      domain,
      challenge: randomBytes(18).toString('base64url'),
      expectedSigners: method === 'SIGNATURE' ? known.signers : [],
      evidence,
      state: method === 'DOCUMENT' ? ('REVIEW' as const) : ('PROVING' as const),
      createdBy: ctx.accountId,
      createdAt: now,
      updatedAt: now,
    }
    try {
      const [row] = await ctx.home.insert(packageClaims).values(values).returning()
      ctx.audit({ action: 'claim.create', entity: 'claim', entityId: claimId, after: { packageName, method } }, 'home')
      const data = { packageName, method, holderTeamId: holder.teamId }
      ctx.emit({ type: 'claim.created', entity: 'claim', entityId: claimId, data }, 'home')
      return toClaim(ctx, row!)
    } catch (error) {
      if (!isDuplicate(error, 'package_claims_open')) throw error
      refuse(contract.errors.openExists, { packageName })
    }
  },

  proveClaim: async (ctx, { body }) => {
    const object = body.objectId === undefined ? null : await objectOf(ctx, body.objectId)
    const row = await loadClaim(ctx, body.claimId, 'claimant', scope)
    if (row.state !== 'PROVING') refuse(contract.errors.noProofWanted, { state: row.state })
    if (row.method === 'SIGNATURE' && !object) refuse(contract.errors.packageMissing)
    const objectId = row.method === 'SIGNATURE' ? (object?.objectId ?? null) : null
    if (objectId !== null) await holdObjects(ctx, [objectId], await appOf(ctx, row.appId))
    if (row.objectId !== null) await releaseObjects(ctx, [row.objectId])
    const input = { claimId: row.claimId, objectId }
    const taskId = ctx.startJob({
      kind: provingKind,
      subject: row.claimId,
      input,
      deadlineMs: claimLimits.provingMs,
    })
    const [next] = await ctx.home
      .update(packageClaims)
      .set({ objectId, proof: null, updatedAt: ctx.now(), revision: row.revision + 1 })
      .where(eq(packageClaims.claimId, row.claimId))
      .returning()
    ctx.audit({ action: 'claim.prove', entity: 'claim', entityId: row.claimId, after: input }, 'home')
    return { ...toClaim(ctx, next!), taskId }
  },

  listClaims: async (ctx, { query }) => {
    const only = query.claimId === undefined ? undefined : eq(packageClaims.claimId, query.claimId)
    const matching = and(mineOrAgainstMe(ctx), await claimsInReach(ctx), ofScope(scope), only)
    const pageSize = query.pageSize ?? 20
    const before = /^[0-9]{1,19}$/.test(query.cursor ?? '')
      ? lt(packageClaims.claimId, query.cursor as string)
      : undefined
    const rows = await ctx.home
      .select()
      .from(packageClaims)
      .where(and(matching, before))
      .orderBy(desc(packageClaims.claimId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.home.$count(packageClaims, matching),
      list: list.map(row => toClaim(ctx, row)),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.claimId ?? null) : null,
    }
  },

  withdrawClaim: async (ctx, { query }) => {
    const row = await loadClaim(ctx, query.claimId, 'claimant', scope)
    return toClaim(ctx, await moveClaim(ctx, row, 'withdraw'))
  },

  objectToClaim: async (ctx, { body }) => {
    const row = await loadClaim(ctx, body.claimId, 'holder', scope)
    return toClaim(ctx, await moveClaim(ctx, row, 'object', { set: { objection: body.reason } }))
  },
})

/** The domain that was named, if the name is of it; else the shortest. */
function chosenDomain(packageName: string, named?: string): string {
  const domains = domainsOf(packageName)
  const domain = named?.toLowerCase() ?? domains[0] ?? ''
  if (!domains.includes(domain))
    refuse(contract.errors.otherDomain, { domain, packageName, domains: domains.join(', ') })
  return domain
}

const waiting = ['OBJECTED', 'REVIEW'] as const

export const desk = implement(claimDesk, {
  listOpenClaims: async (ctx, { query }) => {
    const matching = query.state ? eq(packageClaims.state, query.state) : inArray(packageClaims.state, [...waiting])
    const pageSize = query.pageSize ?? 20
    const after = /^[0-9]{1,19}$/.test(query.cursor ?? '')
      ? gt(packageClaims.claimId, query.cursor as string)
      : undefined
    const rows = await ctx.home
      .select()
      .from(packageClaims)
      .where(and(matching, after))
      .orderBy(asc(packageClaims.claimId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.home.$count(packageClaims, matching),
      list: list.map(row => ({
        ...toClaim(ctx, row),
        claimantTeamId: row.claimantTeamId,
        holderTeamId: row.holderTeamId,
        ageMs: Math.max(0, ctx.now() - row.createdAt),
      })),
      nextCursor: rows.length > pageSize ? (list.at(-1)?.claimId ?? null) : null,
    }
  },

  decideClaim: async (ctx, { body }) => {
    const row = await loadClaim(ctx, body.claimId, 'any', null)
    const { holderAppId, holderZone, packageName } = row
    const known =
      body.verdict === 'grant' && holderAppId !== null && holderZone !== null
        ? await knownOfHolder(ctx, { appId: holderAppId, zone: holderZone as typeof ctx.zone })
        : null
    const decided = await moveClaim(ctx, row, body.verdict, {
      set: { verdict: body.note },
      isOffShelf: known === null || !known.isOnShelf,
      unmet: () => refuse(claimDesk.errors.onShelf, { packageName }),
    })
    return toClaim(ctx, decided)
  },
})

export default implement(contract, handlersOf(null))
export const ofAtomicServices = implement(atomicClaims, handlersOf('ATOMIC_SERVICE'))
