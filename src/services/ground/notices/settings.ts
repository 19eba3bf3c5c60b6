import { inArray } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import { type Cells, type DigestChoice, usualDigest } from './rules.ts'
import { noticeSettings } from './tables.home.ts'

export interface Choices extends DigestChoice {
  cells: Cells
  /** 1 for who has no row yet. */
  revision: number
}

const usual: Choices = { ...usualDigest, cells: {}, revision: 1 }

/** What people chose, by account; who chose nothing gets the usual. One query. */
export async function choicesOf(ctx: Context, accountIds: readonly string[]): Promise<(accountId: string) => Choices> {
  const rows =
    accountIds.length === 0
      ? []
      : await ctx.home
          .select()
          .from(noticeSettings)
          .where(inArray(noticeSettings.accountId, [...accountIds]))
  const known = new Map(rows.map(({ accountId, ...row }) => [accountId, row as Choices]))
  return accountId => known.get(accountId) ?? usual
}
