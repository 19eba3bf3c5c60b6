import { refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { isDuplicate } from '../../../server/http/problem.ts'
import { session } from './contract.ts'
import { loginKeyOf } from './rules.ts'
import { accounts } from './tables.home.ts'

export interface NewAccount {
  loginName: string
  name: string
  /** Of `hashPassword`; empty for an account without password. */
  passwordHash: string
  siteId: number
  /** Normal unless said. */
  status?: number
  staffRoles?: readonly string[]
  email?: string
  language?: 'zh' | 'en' | 'ru'
}

/** Writes an account; refuses a login name that looks like one that is there. */
export async function insertAccount(ctx: Context, wanted: NewAccount): Promise<string> {
  const accountId = ctx.newId()
  const now = ctx.now()
  const loginName = wanted.loginName.trim()
  await ctx.home
    .insert(accounts)
    .values({
      accountId,
      loginName,
      loginKey: loginKeyOf(loginName),
      name: wanted.name.trim(),
      passwordHash: wanted.passwordHash,
      staffRoles: [...(wanted.staffRoles ?? [])],
      siteId: wanted.siteId,
      ...(wanted.status === undefined ? {} : { status: wanted.status }),
      createdAt: now,
      passwordChangedAt: now,
      ...(wanted.email === undefined ? {} : { email: wanted.email }),
      ...(wanted.language === undefined ? {} : { language: wanted.language }),
    })
    .catch(error => {
      if (isDuplicate(error, 'accounts_login_key')) refuse(session.errors.nameTaken, { loginName })
      throw error
    })
  ctx.audit({ action: 'account.create', entity: 'account', entityId: accountId }, 'home')
  return accountId
}
