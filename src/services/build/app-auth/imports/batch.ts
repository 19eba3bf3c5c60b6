import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { tellUser } from '../sessions.ts'
import { appUserIdentities, appUsers, type ImportHash, type userImports } from '../tables.ts'
import { type CheckedRow, checkRow, fault, isFault, keysOf, type RowFault } from './check-row.ts'
import type { ImportedUserRow } from './contract.ts'
import type { FindTwins } from './twins.ts'

export type ImportRow = typeof userImports.$inferSelect

export interface Staged {
  index: number
  row: StagedRow
}

/** A row as it waits: with the hash of its part, where that part named one of its own. */
export type StagedRow = ImportedUserRow & { hash?: ImportHash }

interface ReadRow {
  index: number
  row: CheckedRow
  keys: string[]
}

export interface BatchDone {
  made: number
  merged: number
  failures: ({ index: number } & RowFault)[]
}

/**
 * Makes users of some rows, in the caller’s transaction; a fixed number of statements whatever their number. With
 * `isTrial` nobody is made and the same is told.
 */
export async function importBatch(
  ctx: Context,
  job: ImportRow,
  staged: readonly Staged[],
  findTwins: FindTwins,
  isTrial: boolean,
): Promise<BatchDone> {
  const done: BatchDone = { made: 0, merged: 0, failures: [] }
  const read = readRows(staged, job.hash, ctx.now(), done)
  const twins = await findTwins(ctx, job, read)
  for (const { index } of read) if (twins.has(index)) done.failures.push({ index, ...fault('TWICE') })
  const fresh = read.filter(one => !twins.has(one.index))
  const taken = await takenBy(
    ctx,
    job.projectId,
    fresh.map(one => one.row),
  )
  const add: ReadRow[] = []
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

/** Rows that are whole; those that share a key with an earlier one of them are left out. Their faults are told. */
function readRows(staged: readonly Staged[], hash: ImportHash | null, now: number, done: BatchDone): ReadRow[] {
  const seen = new Set<string>()
  const read: ReadRow[] = []
  for (const { index, row } of staged) {
    const checked = checkRow(row, row.hash ?? hash, now)
    const keys = isFault(checked) ? [] : keysOf(checked)
    if (isFault(checked)) done.failures.push({ index, ...checked })
    else if (keys.some(key => seen.has(key))) done.failures.push({ index, ...fault('TWICE') })
    else read.push({ index, row: checked, keys })
    for (const key of keys) seen.add(key)
  }
  return read
}

async function insertAll(
  ctx: Context,
  { projectId, teamId }: ImportRow,
  add: readonly ReadRow[],
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
    // Looked up one by one in their indexes: as one condition they are compared with every user of the project.
    const { rows: list } = await ctx.transaction(ctx.zone).query<{ key: string; uid: string }>({
      name: 'app auth import taken',
      text: `SELECT 'e ' || sent AS key, uid::text FROM unnest($2::text[]) sent CROSS JOIN LATERAL
          (SELECT uid FROM app_users WHERE project_id = $1 AND email = sent LIMIT 1) found
        UNION ALL SELECT 'p ' || sent, uid::text FROM unnest($3::text[]) sent CROSS JOIN LATERAL
          (SELECT uid FROM app_users WHERE project_id = $1 AND phone = sent LIMIT 1) found
        UNION ALL SELECT 'i ' || sent, uid::text FROM unnest($4::text[]) sent CROSS JOIN LATERAL
          (SELECT uid FROM app_users WHERE project_id = $1 AND import_uid = sent LIMIT 1) found`,
      values: [projectId, emails, phones, ids],
    })
    for (const { key, uid } of list) note(key, uid)
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
