import { refuse } from '../../../kernel/errors.ts'
import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { implement } from '../../../server/implement.ts'
import { assertRecentAuthentication } from '../../ground/session/public.ts'
import { type AppRow, appOf, lockApp } from '../apps/public.ts'
import { factsOf, toSigningKey, toUploadCertificate } from './answer.ts'
import { knownCertificate, readCertificate } from './certificates.ts'
import { assertCurrent, beginStore, discardKey, type Known, moveProfile, rotateTo } from './changes.ts'
import { signing as contract, type KeyKind } from './contract.ts'
import { readImport } from './import-key.ts'
import { type MadeKey, makeSigningKey } from './make-certificate.ts'
import { lockProfile, profileOf, type UploadRecord, uploadCertificatesOf } from './queries.ts'
import { profileCycle, weaknessOf } from './rules.ts'
import { openImport } from './transport.ts'
import { beginUploads, queueUpload, settleUpload } from './uploads.ts'

interface Wish {
  appId: string
  action: 'GENERATE' | 'IMPORT' | 'ROTATE' | 'DISCARD'
  algorithm?: KeyKind
  encryptedKey?: string
  revision?: number
}

export default implement(contract, {
  getUploadCertificate: async (ctx, { query }) => {
    const app = await appOf(ctx, query.appId)
    const { appId } = app
    const { current, pending, previous } = await uploadCertificatesOf(ctx, app)
    const view = (row: UploadRecord | null) => row && toUploadCertificate(ctx, row)
    return {
      appId,
      current: view(current),
      pending: view(pending),
      previous: previous.map(row => toUploadCertificate(ctx, row)),
    }
  },

  putUploadCertificate: async (ctx, { body }) => {
    const app = await lockApp(ctx, body.appId)
    assertAndroid(app)
    if (body.action === 'APPROVE' || body.action === 'CANCEL') return settlePending(ctx, app, body.action)
    if (body.certPem === undefined) throw badField('/certPem', 'required', 'is the certificate to register, PEM')
    const read = readCertificate(body.certPem)
    const certificate = knownCertificate(read)
    const reason = weaknessOf(certificate, 'UPLOAD', ctx.now())
    if (reason !== null) refuse(contract.errors.keyWeak, { reason })
    const profile = await lockProfile(ctx, app)
    const { pending } = await uploadCertificatesOf(ctx, app)
    if (profile.uploadCertSha256 === certificate.certSha256) refuse(contract.errors.sameCertificate)
    if (pending) {
      const effectiveAt = new Date(pending.effectiveAt).toISOString()
      refuse(contract.errors.uploadCertPending, { effectiveAt, certId: pending.certId })
    }
    const wanted = { pem: read.toString(), certificate, registeredBy: ctx.accountId }
    const isFirst = profile.uploadCertSha256 === null
    const row = await (isFirst ? beginUploads : queueUpload)(ctx, app, wanted)
    return toUploadCertificate(ctx, row)
  },

  getSigningKey: async (ctx, { query }) => {
    const app = await appOf(ctx, query.appId)
    return toSigningKey(ctx, app, await profileOf(ctx, app))
  },

  putSigningKey: async (ctx, { body }) => {
    const known = await ctx.transact(inner => look(inner, body))
    if (body.action !== 'GENERATE') await ctx.transact(inner => assertRecentAuthentication(inner))
    await change(ctx, known, body)
    return ctx.transact(async inner => {
      const app = await appOf(inner, body.appId)
      return toSigningKey(inner, app, await profileOf(inner, app))
    })
  },
})

async function settlePending(ctx: Context, app: AppRow, action: 'APPROVE' | 'CANCEL') {
  const { pending } = await uploadCertificatesOf(ctx, app)
  if (!pending) return refuse(contract.errors.nothingPending)
  if (action === 'APPROVE' && ctx.may('signing.approve')) {
    await assertRecentAuthentication(ctx, () => refuse(contract.errors.factorNeeded))
  }
  await lockProfile(ctx, app)
  await settleUpload(ctx, pending, action === 'APPROVE' ? 'approve' : 'cancel')
  const { current, previous } = await uploadCertificatesOf(ctx, app)
  const row = [current, ...previous].find(one => one?.certId === pending.certId)
  return toUploadCertificate(ctx, row ?? pending)
}

/** What the change begins with. What the state does not allow is refused before a key is made or opened. */
async function look(ctx: Context, body: Wish): Promise<Known> {
  const app = await appOf(ctx, body.appId)
  assertAndroid(app)
  const profile = await profileOf(ctx, app)
  assertCurrent(profile, body.revision)
  const action = body.action.toLowerCase() as Lowercase<Wish['action']>
  const facts = factsOf(ctx, app, profile)
  const isAllowed = allowedActions(profileCycle, profile.state, permission => ctx.may(permission), facts)
  if (!isAllowed.includes(action)) await moveProfile(ctx, { app, profile }, action)
  return { app, profile }
}

async function change(ctx: Context, known: Known, body: Wish): Promise<void> {
  const { app } = known
  const { action, algorithm = 'RSA4096', revision } = body
  if (action === 'DISCARD') return ctx.transact(inner => discardKey(inner, app, revision))
  const isImport = action === 'IMPORT' || body.encryptedKey !== undefined
  const made = isImport
    ? await imported(ctx, app, body)
    : await makeSigningKey(algorithm, `App ${app.appId}`, ctx.now())
  if (action === 'ROTATE') return rotateTo(ctx, known, made, isImport ? 'IMPORTED' : 'GENERATED')
  const how = { action: isImport ? 'import' : 'generate', revision } as const
  return ctx.transact(inner => beginStore(inner, app.appId, made, how))
}

async function imported(ctx: Context, app: AppRow, body: Wish): Promise<MadeKey> {
  if (body.encryptedKey === undefined) {
    throw badField('/encryptedKey', 'required', 'is the key to import, encrypted to the public key of this call')
  }
  if (/PRIVATE KEY-----/.test(body.encryptedKey)) refuse(contract.errors.privateKeySent)
  return readImport(await openImport(ctx, app.appId, body.encryptedKey))
}

function assertAndroid({ packageType }: AppRow): void {
  if (packageType !== 'ANDROID') refuse(contract.errors.notAndroid, { packageType })
}
