import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { desc } from 'drizzle-orm'
import { type Context, systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { authorities } from '../tables.home.ts'
import { type Issuer, issueCertificate } from './certificates.ts'

export type Role = (typeof authorities.$inferSelect)['role']

/** An authority with its key, opened; it stays in this service. */
export interface Authority extends Issuer {
  authorityId: string
  role: Role
  notAfter: number
}

interface Plan {
  issuer: Role | null
  commonName: string
  days: number
  authoritiesBelow: number | null
}

const day = 86_400_000
const sealedAs = 'harmony.authority'
/** As long as the longest certificate or profile that one vouches for, and a year to renew in. */
const leftLeastMs = 4 * 365 * day
/** Clocks of devices may be behind. */
const beforehandMs = 3_600_000

/** Root, application CA and developers; root, profile CA and who signs profiles. Each stands behind what it is issued by. */
const plans: Readonly<Record<Role, Plan>> = {
  ROOT: { issuer: null, commonName: 'Loggia Root CA', days: 9000, authoritiesBelow: Infinity },
  APPLICATION: { issuer: 'ROOT', commonName: 'Loggia Application CA', days: 5000, authoritiesBelow: 0 },
  PROFILE: { issuer: 'ROOT', commonName: 'Loggia Profile CA', days: 5000, authoritiesBelow: 0 },
  PROFILE_SIGNER: { issuer: 'PROFILE', commonName: 'Loggia Profile Release', days: 3000, authoritiesBelow: null },
}
const roles = Object.keys(plans) as Role[]

const known = new WeakMap<Server, Promise<Authority[]>>()

/** Every authority that there was, the newest first; those that are missing or will end soon are made first, once for all processes. */
export async function authoritiesOf(ctx: Context): Promise<Authority[]> {
  const { server } = ctx
  const kept = await known.get(server)
  if (kept && missingIn(kept, ctx.now()).length === 0) return kept
  const loading = load(ctx)
  known.set(server, loading)
  loading.catch(() => known.delete(server))
  return loading
}

/** The one that issues now. */
export async function authorityInUse(ctx: Context, role: Role): Promise<Authority> {
  const found = newest(await authoritiesOf(ctx), role)
  if (!found) throw new Error(`there is no ${role}`)
  return found
}

/** Who vouches for a certificate, up to the root. */
export function chainAbove(certificate: X509Certificate, all: readonly Authority[]): X509Certificate[] {
  const chain: X509Certificate[] = []
  for (let at = certificate; !at.checkIssued(at); ) {
    const above = all.find(one => at.checkIssued(one.certificate) && at.verify(one.certificate.publicKey))
    if (!above) throw new Error('who issued the certificate is not known')
    chain.push(above.certificate)
    at = above.certificate
  }
  return chain
}

const newest = (all: readonly Authority[], role: Role) => all.find(one => one.role === role)

function missingIn(all: readonly Authority[], now: number): Role[] {
  return roles.filter(role => (newest(all, role)?.notAfter ?? 0) - now < leftLeastMs)
}

async function load(ctx: Context): Promise<Authority[]> {
  const system = systemContext(ctx.server, ctx.zone, { name: 'harmony.authorities' })
  return system.transact(async inner => {
    const found = await read(inner)
    if (missingIn(found, inner.now()).length === 0) return found
    await inner.transaction('home').query('SELECT pg_advisory_xact_lock(215, 0)')
    const all = await read(inner)
    for (const role of missingIn(all, inner.now())) all.unshift(await make(inner, role, all))
    return all
  })
}

async function read(ctx: Context): Promise<Authority[]> {
  const rows = await ctx.home.select().from(authorities).orderBy(desc(authorities.authorityId))
  return rows.map(({ authorityId, role, certificate, sealedKey, notAfter }) => ({
    authorityId,
    role,
    notAfter,
    certificate: new X509Certificate(certificate),
    privateKey: createPrivateKey(ctx.server.masterKey.open(sealedAs, authorityId, sealedKey)),
  }))
}

async function make(ctx: Context, role: Role, all: readonly Authority[]): Promise<Authority> {
  const { issuer: issuerRole, commonName, days, authoritiesBelow } = plans[role]
  const issuer = issuerRole === null ? null : (newest(all, issuerRole) ?? null)
  const now = ctx.now()
  const authorityId = ctx.newId()
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
  const notAfter = Math.min(now + days * day, issuer?.notAfter ?? Infinity)
  const certificate = issueCertificate(
    // Two of a name would be one to whoever looks for an issuer.
    {
      subject: { organization: 'Loggia', unit: authorityId, common: commonName },
      publicKey,
      notBefore: now - beforehandMs,
      notAfter,
      authoritiesBelow,
    },
    issuer,
    privateKey,
  )
  await ctx.home.insert(authorities).values({
    authorityId,
    role,
    certificate: certificate.toString(),
    sealedKey: ctx.server.masterKey.seal(sealedAs, authorityId, exported(privateKey)),
    notAfter,
    createdAt: now,
  })
  const after = { role, sha256: certificate.fingerprint256, notAfter }
  const entity = 'harmonyAuthority'
  ctx.audit({ action: `${entity}.create`, entity, entityId: authorityId, teamId: null, after }, 'home')
  return { authorityId, role, notAfter, certificate, privateKey }
}

const exported = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string
