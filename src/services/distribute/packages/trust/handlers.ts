import { createHash, X509Certificate } from 'node:crypto'
import { and, desc, eq, inArray, lt } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { trustedRoots } from '../tables.home.ts'
import { trustDesk as contract } from './contract.ts'
import { plainName } from './path.ts'
import { trustLimits } from './rules.ts'

export default implement(contract, {
  listTrustedRoots: async (ctx, { query }) => {
    const matching = query.purpose && eq(trustedRoots.purpose, query.purpose)
    const pageSize = query.pageSize ?? 20
    const before = /^[0-9]{1,18}$/.test(query.cursor ?? '')
      ? lt(trustedRoots.rootId, query.cursor as string)
      : undefined
    const rows = await ctx.home
      .select()
      .from(trustedRoots)
      .where(and(matching, before))
      .orderBy(desc(trustedRoots.rootId))
      .limit(pageSize + 1)
    const list = rows.slice(0, pageSize)
    return {
      total: await ctx.home.$count(trustedRoots, matching),
      list,
      nextCursor: rows.length > pageSize ? (list.at(-1)?.rootId ?? null) : null,
    }
  },

  addTrustedRoots: async (ctx, { body }) => {
    const { purpose } = body
    const found = certificatesIn(body.pem)
    if (found.length === 0) refuse(contract.errors.noCertificate)
    const leaf = found.find(one => !one.ca)
    if (leaf) refuse(contract.errors.noAuthority, { subject: plainName(leaf.subject) })
    const ofPurpose = eq(trustedRoots.purpose, purpose)
    // One at a time, so that the limit holds.
    await ctx.transaction('home').query('SELECT pg_advisory_xact_lock(202, hashtext($1))', [purpose])
    const rows = found.map(one => ({
      rootId: ctx.newId(),
      purpose,
      certSha256: createHash('sha256').update(one.raw).digest('hex'),
      subject: plainName(one.subject).slice(0, 1000),
      notBefore: one.validFromDate.getTime(),
      notAfter: one.validToDate.getTime(),
      pem: one.toString(),
      addedBy: ctx.accountId,
      createdAt: ctx.now(),
    }))
    const added = await ctx.home.insert(trustedRoots).values(rows).onConflictDoNothing().returning()
    if ((await ctx.home.$count(trustedRoots, ofPurpose)) > trustLimits.rootsOfPurpose) {
      refuse(contract.errors.tooManyRoots, { limit: trustLimits.rootsOfPurpose, purpose })
    }
    for (const { rootId, certSha256, subject } of added) {
      const after = { purpose, certSha256, subject }
      ctx.audit({ action: 'trustedRoot.add', entity: 'trustedRoot', entityId: rootId, after }, 'home')
    }
    const digests = rows.map(row => row.certSha256)
    const list = await ctx.home
      .select()
      .from(trustedRoots)
      .where(and(ofPurpose, inArray(trustedRoots.certSha256, digests)))
    return { list }
  },

  removeTrustedRoot: async (ctx, { query }) => {
    const [gone] = await ctx.home.delete(trustedRoots).where(eq(trustedRoots.rootId, query.rootId)).returning()
    if (!gone) refuse(commonErrors.notFound, { entity: 'root', id: query.rootId })
    const { purpose, certSha256, subject } = gone
    const before = { purpose, certSha256, subject }
    ctx.audit({ action: 'trustedRoot.remove', entity: 'trustedRoot', entityId: query.rootId, before }, 'home')
    return {}
  },
})

/** The certificates of a PEM text; a block that is none makes the whole text none. */
function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map(block => new X509Certificate(block))
  } catch {
    return []
  }
}
