import { and, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import type { Context } from '../../../server/context.ts'
import type { Event, Listener, Work } from '../../../server/work.ts'
import { notify } from '../../ground/notices/public.ts'
import { atProjectEnd } from '../../ground/projects/public.ts'
import { keyChannel, keyMemoryOf } from './app-or-server.ts'
import { callerChannel, callerJudgeOf } from './caller.ts'
import { appUserRecoveryCodes, appUserTotp, authTickets } from './factors/tables.ts'
import { appAuthHandover } from './handover.ts'
import { forgetImports } from './imports/handlers.ts'
import { giveUpImport, importJob, runImportJob } from './imports/run.ts'
import { appUserKeys } from './key-ring.ts'
import { giveUpMessage, mailJob, messageJob, runMailJob, runMessageJob } from './messages.ts'
import { limits } from './rules.ts'
import {
  appUserDays,
  appUserIdentities,
  appUserSessions,
  appUsers,
  authCodes,
  authFailures,
  authGrants,
  authHooks,
  authMessages,
  authMethods,
  authProducts,
  authTemplates,
  quickLogins,
  smsBlocks,
  userImportKeys,
  userImportRows,
  userImports,
} from './tables.ts'

const dayMs = 86_400_000
/** Codes are counted for an hour; text messages are kept for three months, days of activity for a year. */
const kept = { codesMs: dayMs, failuresMs: dayMs, messagesMs: 90 * dayMs, daysMs: 366 * dayMs, importsMs: 30 * dayMs }

/** A key that was changed or taken back, or whose project is gone, opens nothing any more, on no process. */
const forgetKeys: Listener = {
  name: 'appAuth.projectKeys',
  on: [
    ...['enabled', 'disabled', 'rotated', 'revoked', 'changed'].map(what => `project.key_${what}`),
    'project.deleted',
  ],
  run: async ctx => ctx.signal('home', keyChannel, 'keys'),
}

export default {
  handover: appAuthHandover,
  jobs: [
    { kind: mailJob, run: runMailJob },
    { kind: messageJob, run: runMessageJob, giveUp: giveUpMessage },
    { kind: importJob, run: runImportJob, giveUp: giveUpImport },
  ],
  listeners: [
    forgetKeys,
    { name: 'appAuth.pumping', on: ['app_auth.sms_pumping'], run: tellPumping },
    atProjectEnd('appAuth.projectDeleted', forgetProject),
  ],
  sweeps: [
    { name: 'appAuth.keys', every: '25 7 * * * *', database: 'zone', run: appUserKeys.turn },
    { name: 'appAuth.over', every: '45 */10 * * * *', database: 'zone', run: forgetOver },
  ],
  start: server => {
    callerJudgeOf(server).listen()
    keyMemoryOf(server).listen()
    return async () => undefined
  },
} satisfies Work

async function tellPumping(ctx: Context, { teamId, data }: Event): Promise<void> {
  if (teamId === null) return
  const country = String(data['country'])
  await notify(ctx, {
    to: { teamId, permission: 'appAuth.edit', about: { projectId: String(data['projectId']) } },
    category: 'operations',
    kind: 'appAuth.smsPumping',
    title: {
      zh: `已暂停向 ${country} 发送短信`,
      en: `Text messages to ${country} are paused`,
      ru: `Отправка SMS на ${country} приостановлена`,
    },
    text: {
      zh: '最近一小时内发往该地区的验证码几乎无人使用，疑似刷短信。暂停一小时；如有需要，请在认证设置中调整允许的国家/地区。',
      en: 'Hardly any code that went there in the last hour was used, which looks like SMS pumping. They are paused for an hour; change the allowed countries in the authentication settings if needed.',
      ru: 'За последний час почти ни один отправленный туда код не был использован: похоже на накрутку SMS. Отправка приостановлена на час; при необходимости измените разрешённые страны в настройках аутентификации.',
    },
    href: `/auth?projectId=${String(data['projectId'])}&zone=${ctx.zone}&tab=sms`,
    entityId: String(data['projectId']),
  })
}

async function forgetProject(ctx: Context, projectId: string): Promise<void> {
  const imports = ctx.db
    .select({ id: userImports.importId })
    .from(userImports)
    .where(eq(userImports.projectId, projectId))
  await ctx.db.delete(userImportRows).where(inArray(userImportRows.importId, imports))
  await ctx.db.delete(userImportKeys).where(inArray(userImportKeys.importId, imports))
  for (const table of [
    ...[authTickets, appUserTotp, appUserRecoveryCodes],
    ...[
      appUserIdentities,
      appUserSessions,
      appUserDays,
      appUsers,
      authCodes,
      authMessages,
      authMethods,
      authHooks,
      authGrants,
    ],
    ...[authTemplates, quickLogins, smsBlocks, userImports, authProducts],
  ])
    await ctx.db.delete(table).where(eq(table.projectId, projectId))
  ctx.signal(ctx.zone, callerChannel, '')
}

/** Forgets what nobody asks for any more. */
async function forgetOver(ctx: Context): Promise<void> {
  const now = ctx.now()
  await ctx.db.delete(authCodes).where(lt(authCodes.expiresAt, now - kept.codesMs))
  await ctx.db.delete(authGrants).where(lt(authGrants.expiresAt, now - kept.codesMs))
  await ctx.db.delete(authTickets).where(lt(authTickets.expiresAt, now - kept.codesMs))
  await ctx.db.delete(authFailures).where(lt(authFailures.firstAt, now - kept.failuresMs))
  await ctx.db.delete(authMessages).where(lt(authMessages.createdAt, now - kept.messagesMs))
  await ctx.db.delete(appUserDays).where(lt(appUserDays.day, new Date(now - kept.daysMs).toISOString().slice(0, 10)))
  await ctx.db.delete(smsBlocks).where(lt(smsBlocks.until, now))
  await ctx.db.delete(appUserSessions).where(lt(appUserSessions.expiresAt, now - 30 * dayMs))
  await ctx.db
    .delete(appUsers)
    .where(and(isNotNull(appUsers.deletedAt), lt(appUsers.deletedAt, now - limits.tombstoneMs)))
  await forgetImports(ctx, now - kept.importsMs)
}
