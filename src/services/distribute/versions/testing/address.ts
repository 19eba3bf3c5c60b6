import { zones } from '../../../../kernel/zones.ts'
import type { Context } from '../../../../server/context.ts'

const purpose = 'test address'

/** Who a secret in an address stands for: a person of a group, or everybody who was given an open test. */
export type Holder = { kind: 'user'; userId: string } | { kind: 'open'; versionId: string }

function secretOf(ctx: Context, holder: Holder): string {
  const name = holder.kind === 'user' ? `u${holder.userId}` : `o${holder.versionId}`
  return `${name}-${ctx.server.masterKey.sign(purpose, name)}`
}

/** Whose the secret is; null for one that we never made. */
export function holderOf(ctx: Context, secret: string): Holder | null {
  const [, kind, id, mac] = /^([uo])([1-9][0-9]{0,18})-([A-Za-z0-9_-]{43})$/.exec(secret) ?? []
  if (!kind || !id || !mac || !ctx.server.masterKey.verify(purpose, `${kind}${id}`, mac)) return null
  return kind === 'u' ? { kind: 'user', userId: id } : { kind: 'open', versionId: id }
}

/** Where an F-Droid client gets what the holder may test. */
export function testAddress(ctx: Context, holder: Holder): string {
  return addressOfSecret(ctx, secretOf(ctx, holder))
}

/** Where a person reads what may be tested and how to get it. */
export function testPage(ctx: Context, holder: Holder): string {
  const search = new URLSearchParams({ zone: ctx.zone, token: secretOf(ctx, holder) })
  return `${ctx.server.config.publicUrl}/#/app/openTest?${search}`
}

/** The address of a secret's repository; its path names the zone, for that is where the rows are. */
export function addressOfSecret(ctx: Context, secret: string): string {
  return `${ctx.server.config.publicUrl}/${zones[ctx.zone].slug}/fdroid/test/${secret}/repo`
}
