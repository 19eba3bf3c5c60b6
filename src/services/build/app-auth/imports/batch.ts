import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { tellUser } from '../sessions.ts'
import { appUserIdentities, appUsers, type userImports } from '../tables.ts'
import { type CheckedRow, checkRow, fault, isFault, keysOf, type RowFault } from './check-row.ts'
import type { ImportedUserRow } from './contract.ts'

export type ImportRow = typeof userImports.$inferSelect

export interface Staged {
  index: number
  row: ImportedUserRow
}

export interface BatchDone {
  made: number
  merged: number
  failures: ({ index: number } & RowFault)[]
}

/**
 * Makes users of some rows, in the caller’s transaction; a fixed number of statements whatever their number. With
 * `isTrial` nothing is written and the same is told.
 */
export async function importBatch(
  ctx: Context,
  job: ImportRow,
  staged: readonly Staged[],
  seen: Set<string>,
  isTrial: boolean,
): Promise<BatchDone> {
  const done: BatchDone = { made: 0, merged: 0, failures: [] }
  const fresh: { index: number; row: CheckedRow }[] = []
  for (const { index, row } of staged) {
    const checked = checkRow(row, job.hash, ctx.now())
    const keys = isFault(checked) ? [] : keysOf(checked)
    if (isFault(checked)) done.failures.push({ index, ...checked })
    else if (keys.some(key => seen.has(key))) done.failures.push({ index, ...fault('TWICE') })
    else fresh.push({ index, row: checked })
    for (const key of keys) seen.add(key)
  }
  const taken = await takenBy(
    ctx,
    job.projectId,
    fresh.map(one => one.row),
  )
  const add: typeof fresh = []
  for (const one of fresh) {
    const owners = new Set(keysOf(one.row).flatMap(key => taken.get(key) ?? []))
    const [owner] = owners
    if (owner === undefined) add.push(one)
    else if (job.onConflict !== 'MERGE' || owners.size > 1) done.failures.push({ index: one.index, ...fault('EXISTS') })
    else {
      if (!isTrial) await mergeInto(ctx, owner, one.row)
      done.merged++
    }
  }
  if (isTrial) return { ...done, made: add.length }
  await insertAll(ctx, job, add, done)
  return done
}

async function insertAll(
  ctx: Context,
  { projectId, teamId }: ImportRow,
  add: readonly { index: number; row: CheckedRow }[],
  done: BatchDone,
): Promise<void> {
  if (add.length === 0) return
  const now = ctx.now()
  const made = add.map(({ index, row }) => ({ index, row, uid: ctx.newId() }))
  // Somebody may register in this moment: what is taken meanwhile is told, not overwritten.
  const kept = await ctx.db
    .insert(appUsers)
    .values(
      made.map(({ uid, row }) => ({
        ...{ uid, projectId, teamId, email: row.email, phone: row.phone, foreignHash: row.foreignHash },
        state: row.disabled ? ('DISABLED' as const) : ('ACTIVE' as const),
        displayName: (row.displayName ?? '').replace(/\p{Cc}/gu, ''),
        photoUrl: row.photoUrl ?? '',
        emailVerified: row.email !== null && row.emailVerified === true,
        claims: row.claims ?? {},
        importUid: row.importUid ?? null,
        createdAt: row.createTime ?? now,
        lastSignInAt: row.lastSignInTime ?? null,
        updatedAt: now,
      })),
    )
    .onConflictDoNothing()
    .returning({ uid: appUsers.uid })
  const there = new Set(kept.map(one => one.uid))
  const identities = made.flatMap(({ uid, row }) =>
    there.has(uid)
      ? (row.providers ?? []).map(one => ({
          ...{ projectId, teamId, uid, provider: one.provider, issuer: one.issuer, openId: one.openId },
          linkedAt: now,
        }))
      : [],
  )
  if (identities.length > 0) await ctx.db.insert(appUserIdentities).values(identities).onConflictDoNothing()
  done.made += there.size
  for (const { index, uid } of made) if (!there.has(uid)) done.failures.push({ index, ...fault('EXISTS') })
}

async function mergeInto(ctx: Context, uid: string, row: CheckedRow): Promise<void> {
  const { displayName, photoUrl, foreignHash, claims, email, emailVerified, phone } = row
  await ctx.db
    .update(appUsers)
    .set({
      ...(displayName === undefined ? {} : { displayName: displayName.replace(/\p{Cc}/gu, '') }),
      ...(photoUrl === undefined ? {} : { photoUrl }),
      ...(foreignHash === null ? {} : { foreignHash, passwordHash: null }),
      ...(claims === undefined ? {} : { claims: sql`${appUsers.claims} || ${JSON.stringify(claims)}::jsonb` }),
      ...(email === null ? {} : { email: sql`coalesce(${appUsers.email}, ${email})` }),
      ...(email !== null && emailVerified ? { emailVerified: true } : {}),
      ...(phone === null ? {} : { phone: sql`coalesce(${appUsers.phone}, ${phone})` }),
      updatedAt: ctx.now(),
      revision: sql`${appUsers.revision} + 1`,
    })
    .where(eq(appUsers.uid, uid))
  tellUser(ctx, uid)
}

/** Whose the addresses, numbers and ids of the rows are now. */
async function takenBy(ctx: Context, projectId: string, rows: readonly CheckedRow[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const note = (key: string, uid: string) => found.set(key, [...(found.get(key) ?? []), uid])
  const emails = rows.flatMap(row => row.email ?? [])
  const phones = rows.flatMap(row => row.phone ?? [])
  const ids = rows.flatMap(row => row.importUid ?? [])
  if (emails.length + phones.length + ids.length > 0) {
    const { uid, email, phone, importUid } = appUsers
    const list = await ctx.db
      .select({ uid, email, phone, importUid })
      .from(appUsers)
      .where(
        and(
          eq(appUsers.projectId, projectId),
          or(
            sql`${email} = ANY(${sql.param(emails)}::text[])`,
            sql`${phone} = ANY(${sql.param(phones)}::text[])`,
            sql`${importUid} = ANY(${sql.param(ids)}::text[])`,
          ),
        ),
      )
    for (const one of list) {
      if (one.email !== null) note(`e ${one.email}`, one.uid)
      if (one.phone !== null) note(`p ${one.phone}`, one.uid)
      if (one.importUid !== null) note(`i ${one.importUid}`, one.uid)
    }
  }
  const openIds = rows.flatMap(row => (row.providers ?? []).map(one => one.openId))
  if (openIds.length === 0) return found
  const linked = await ctx.db
    .select()
    .from(appUserIdentities)
    .where(and(eq(appUserIdentities.projectId, projectId), inArray(appUserIdentities.openId, openIds)))
  for (const one of linked) note(`o ${one.provider} ${one.issuer} ${one.openId}`, one.uid)
  return found
}
