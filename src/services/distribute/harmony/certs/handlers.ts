import { X509Certificate } from 'node:crypto'
import { and, asc, count, eq, gt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { isDuplicate } from '../../../../server/http/problem.ts'
import { implement } from '../../../../server/implement.ts'
import { transition } from '../../../../server/life-cycle.ts'
import { isRealNameVerified } from '../../../ground/session/real-names/public.ts'
import { teamNamed } from '../../../ground/teams/public.ts'
import { inTurn } from '../in-turn.ts'
import { type Authority, authoritiesOf, authorityInUse, chainAbove } from '../pki/authorities.ts'
import { issueCertificate } from '../pki/certificates.ts'
import { shortened } from '../pki/names.ts'
import { revocationList } from '../pki/revocation-list.ts'
import { readSigningRequest, type SigningRequest } from '../pki/signing-request.ts'
import { certCycle, certLifetime, certTypeNumbers, certTypes, limits, reminderDue } from '../rules.ts'
import { revocations } from '../tables.home.ts'
import { certs } from '../tables.ts'
import { certsContract as contract } from './contract.ts'
import { type CertRecord, loadCert, pageOfCerts, toCerts } from './queries.ts'

const { errors } = contract
const listGoodForMs = 7 * 86_400_000
/** Clocks of devices may be behind. */
const beforehandMs = 3_600_000

export default implement(contract, {
  createCert: async (ctx, { body }) => {
    ctx.assertScope({})
    const { certType } = body
    const certName = body.certName.trim()
    const request = readSigningRequest(body.csr)
    if (typeof request === 'string') refuse(errors.csrInvalid, { reason: request })
    const issuer = await authorityInUse(ctx, 'APPLICATION')
    await inTurn(ctx)
    const limit = limits.certsOfType
    if ((await countOf(ctx)).find(one => one.certType === certType)?.count === 0) {
      refuse(errors.certLimit, { limit, certType })
    }
    const [row] = await ctx.db
      .insert(certs)
      .values(await issue(ctx, issuer, request, { certName, certType }))
      .returning()
      .catch(error => {
        if (isDuplicate(error, 'harmony_certs_name')) refuse(errors.certName, { certName })
        throw error
      })
    const { certId, sha256, expireAt } = row!
    const data = { certName, certType, sha256, expireAt }
    ctx.audit({ action: 'cert.issue', entity: 'cert', entityId: certId, after: data })
    ctx.emit({ type: 'cert.issued', entity: 'cert', entityId: certId, data })
    return one(ctx, row!)
  },

  revokeCert: async (ctx, { query }) => {
    ctx.assertScope({})
    const row = await loadCert(ctx, query.certId, 'update')
    const { certId, state, revision, name, type, authorityId, serial, expireAt, sha256 } = row
    const shelved = (await one(ctx, row)).usedByProfiles.filter(user => user.isOnShelf)
    await transition(ctx, {
      cycle: certCycle,
      table: 'harmony_certs',
      idColumn: 'cert_id',
      row: { id: certId, state, revision },
      action: query.force && shelved.length > 0 ? 'forceRevoke' : 'revoke',
      facts: { isOffShelf: shelved.length === 0 },
      unmet: () =>
        refuse(errors.certOnShelf, { certName: name, apps: [...new Set(shelved.map(user => user.appName))] }),
      data: { certName: name, certType: type, authorityId, serial, expireAt, sha256, at: ctx.now() },
      note: { isForced: shelved.length > 0 },
    })
    const [moved] = await ctx.db.update(certs).set({ revokedAt: ctx.now() }).where(eq(certs.certId, certId)).returning()
    return one(ctx, moved!)
  },

  listCerts: async (ctx, { body }) => ({ ...(await pageOfCerts(ctx, body)), left: await countOf(ctx) }),

  downloadCert: async (ctx, { query }) => {
    const { certId, certificate } = await loadCert(ctx, query.certId)
    const own = new X509Certificate(certificate)
    const chain = [own, ...chainAbove(own, await authoritiesOf(ctx))]
    return pemFile(chain.join(''), `${certId}.cer`)
  },

  downloadRoot: async ctx => {
    const root = await authorityInUse(ctx, 'ROOT')
    return pemFile(root.certificate.toString(), 'root.pem')
  },

  downloadRevocations: async (ctx, { query }) => {
    const all = await authoritiesOf(ctx)
    const { authorityId } = query
    const issuer = all.find(
      one => one.role === 'APPLICATION' && (authorityId === undefined || one.authorityId === authorityId),
    )
    if (!issuer) refuse(commonErrors.notFound, { entity: 'application CA', id: authorityId })
    const now = ctx.now()
    const rows = await ctx.home
      .select({ serial: revocations.serial, revokedAt: revocations.revokedAt })
      .from(revocations)
      .where(and(eq(revocations.authorityId, issuer.authorityId), gt(revocations.expireAt, now)))
      .orderBy(asc(revocations.certId))
    return {
      headers: { 'content-type': 'application/pkix-crl', 'cache-control': 'public, max-age=300' },
      body: revocationList(issuer, rows, { thisUpdate: now, nextUpdate: now + listGoodForMs }),
    }
  },
})

async function issue(
  ctx: Context,
  issuer: Authority,
  { publicKey, sha256: csrSha256 }: SigningRequest,
  { certName, certType }: { certName: string; certType: number },
) {
  const team = await teamNamed(ctx, ctx.teamId)
  if (!team) throw new Error('the team of the call is gone')
  const now = ctx.now()
  const expireAt = now + certLifetime(certType, await isRealNameVerified(ctx, team.leaderAccountId))
  const kind = certType === certTypes.debug ? 'Debug' : 'Release'
  const tail = `(${team.teamId}),${kind}`
  const subject = `${shortened(team.name, 64 - tail.length)}${tail}`
  const certificate = issueCertificate(
    {
      subject: { organization: shortened(team.name), unit: team.teamId, common: subject },
      publicKey,
      notBefore: now - beforehandMs,
      notAfter: expireAt,
      authoritiesBelow: null,
      revokedAt: `${ctx.server.config.publicUrl}${contract.prefix}/crl?authorityId=${issuer.authorityId}`,
    },
    issuer,
  )
  return {
    certId: ctx.newId(),
    teamId: ctx.teamId,
    name: certName,
    type: certType,
    state: 'VALID' as const,
    authorityId: issuer.authorityId,
    certificate: certificate.toString(),
    subject,
    serial: certificate.serialNumber.toLowerCase(),
    sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    csrSha256,
    expireAt,
    // Who is given two weeks is not told at once that they end.
    reminded: reminderDue(expireAt, null, now),
    createdBy: ctx.accountId,
    createdAt: now,
    updatedAt: now,
  }
}

/** How many certificates of each type the team may still have. */
async function countOf(ctx: Context) {
  const rows = await ctx.db
    .select({ type: certs.type, count: count() })
    .from(certs)
    .where(and(eq(certs.teamId, ctx.teamId), eq(certs.state, 'VALID')))
    .groupBy(certs.type)
  return certTypeNumbers.map(certType => {
    const used = rows.find(row => row.type === certType)?.count ?? 0
    return { certType, count: Math.max(0, limits.certsOfType - used) }
  })
}

async function one(ctx: Context, row: CertRecord) {
  return (await toCerts(ctx, [row]))[0]!
}

function pemFile(body: string, fileName: string) {
  return {
    headers: {
      'content-type': 'application/x-pem-file',
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
    },
    body,
  }
}
