import { zones } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'

const purpose = 'test address'

/**
 * Who a secret in an address stands for: a person of a group, everybody who was given an open test, everybody who was
 * given a link to join, or who asked to join and was mailed. An activity is public: its token has nothing secret.
 */
export type Holder =
  | { kind: 'user'; userId: string }
  | { kind: 'open'; versionId: string }
  | { kind: 'link'; linkId: string }
  | { kind: 'join'; joinId: string }
  | { kind: 'activity'; activityId: string }

function nameOf(holder: Holder): string {
  switch (holder.kind) {
    case 'user':
      return `u${holder.userId}`
    case 'open':
      return `o${holder.versionId}`
    case 'link':
      return `l${holder.linkId}`
    case 'join':
      return `j${holder.joinId}`
    case 'activity':
      return `a${holder.activityId}`
  }
}

export function secretOf(ctx: Context, holder: Holder): string {
  const name = nameOf(holder)
  return holder.kind === 'activity' ? name : `${name}-${ctx.server.masterKey.sign(purpose, name)}`
}

/** Whose the secret is; null for one that we never made. */
export function readSecret(ctx: Context, secret: string): Holder | null {
  const activityId = /^a([1-9][0-9]{0,18})$/.exec(secret)?.[1]
  if (activityId) return { kind: 'activity', activityId }
  const [, kind, id, mac] = /^([uolj])([1-9][0-9]{0,18})-([A-Za-z0-9_-]{43})$/.exec(secret) ?? []
  if (!kind || !id || !mac || !ctx.server.masterKey.verify(purpose, `${kind}${id}`, mac)) return null
  if (kind === 'u') return { kind: 'user', userId: id }
  if (kind === 'o') return { kind: 'open', versionId: id }
  return kind === 'l' ? { kind: 'link', linkId: id } : { kind: 'join', joinId: id }
}

/** Where a person reads what may be tested and how to get it, joins or answers a mail. */
export function pageOfHolder(ctx: Context, holder: Holder): string {
  const search = new URLSearchParams({ zone: ctx.zone, token: secretOf(ctx, holder) })
  return `${ctx.server.config.publicUrl}/#/app/openTest?${search}`
}

/** The address of a secret's repository; its path names the zone, for that is where the rows are. */
export function repositoryOfSecret(ctx: Context, secret: string): string {
  return `${ctx.server.config.publicUrl}/${zones[ctx.zone].slug}/fdroid/test/${secret}/repo`
}
