import { and, eq, sql } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { errors } from '../contract.ts'
import { assertCountry, engineOf, mailJob, queueMessage, writtenText } from '../messages.ts'
import { projectHere, settingsOf } from '../product.ts'
import {
  mailOf,
  phoneOf,
  type TemplateKind,
  type TemplateLanguage,
  templateFault,
  templateKinds,
  templateLanguages,
} from '../rules.ts'
import { authTemplates } from '../tables.ts'
import { defaultTemplates, type TemplateText } from '../templates.data.ts'

const exampleCode = '123456'

interface Wanted extends TemplateText {
  projectId: string
  kind: TemplateKind
  language: TemplateLanguage
  action?: 'SAVE' | 'PREVIEW' | 'RESET'
  revision?: number
}

export async function templatesOf(ctx: Context, projectId: string) {
  await projectHere(ctx, projectId)
  const rows = await ctx.db.select().from(authTemplates).where(eq(authTemplates.projectId, projectId))
  return templateKinds.flatMap(kind =>
    templateLanguages.map(language => {
      const own = rows.find(one => one.kind === kind && one.language === language)
      return toTemplate(kind, language, own)
    }),
  )
}

function toTemplate(
  kind: TemplateKind,
  language: TemplateLanguage,
  own: (TemplateText & { revision: number }) | undefined,
) {
  const { subject, body } = own ?? defaultTemplates[kind][language]
  return { kind, language, subject, body, isDefault: own === undefined, revision: own?.revision ?? 0 }
}

export async function putTemplate(ctx: Context, wanted: Wanted) {
  const { projectId, kind, language, action = 'SAVE', subject, body } = wanted
  const { teamId } = await projectHere(ctx, projectId)
  const preview = (draft?: TemplateText) =>
    writtenText(ctx, projectId, kind, language, { code: exampleCode, name: 'Li' }, draft)
  const fault = templateFault(kind, body) ?? templateFault('WELCOME', subject)
  if (fault && action !== 'RESET') {
    const said = fault.rule === 'code' ? 'must have {{code}}' : `names {{${fault.word}}}, which nobody fills in`
    refuse(errors.templateWrong, { fault: said })
  }
  const isThis = and(
    eq(authTemplates.projectId, projectId),
    eq(authTemplates.kind, kind),
    eq(authTemplates.language, language),
  )
  const [before] = await ctx.db.select().from(authTemplates).where(isThis).for('update')
  if (action === 'PREVIEW')
    return { template: toTemplate(kind, language, before), preview: await preview({ subject, body }) }
  if (before && before.revision !== wanted.revision) refuse(commonErrors.stale, { revision: before.revision })
  if (action === 'RESET') await ctx.db.delete(authTemplates).where(isThis)
  else {
    const change = { subject, body, updatedAt: ctx.now() }
    await ctx.db
      .insert(authTemplates)
      .values({ projectId, kind, language, teamId, ...change })
      .onConflictDoUpdate({
        target: [authTemplates.projectId, authTemplates.kind, authTemplates.language],
        set: { ...change, revision: sql`${authTemplates.revision} + 1` },
      })
  }
  ctx.audit({ action: 'appAuth.template', entity: 'project', entityId: projectId, after: { kind, language, action } })
  const [after] = await ctx.db.select().from(authTemplates).where(isThis)
  return { template: toTemplate(kind, language, after), preview: await preview() }
}

/** Sends a text with a made-up code: nothing signs in by it. */
export async function testTemplate(
  ctx: Context,
  { projectId, kind, language, to }: { projectId: string; kind: TemplateKind; language: TemplateLanguage; to: string },
) {
  if (kind === 'SMS_CODE') {
    await testSms(ctx, { projectId, phone: to, language })
    return {}
  }
  await projectHere(ctx, projectId)
  const mail = mailOf(to) ?? refuse(errors.mailInvalid)
  const testId = ctx.newId()
  const sealed = ctx.server.masterKey.seal('app auth mail', testId, exampleCode)
  const input = { projectId, kind, language, to: mail, codeId: testId, sealed, isMeant: true, name: 'Li' }
  ctx.startJob({ kind: mailJob, subject: testId, deadlineMs: 600_000, input })
  ctx.audit({ action: 'appAuth.template_test', entity: 'project', entityId: projectId, after: { kind, language } })
  return {}
}

export async function testSms(
  ctx: Context,
  { projectId, phone, language = 'en' }: { projectId: string; phone: string; language?: TemplateLanguage },
) {
  const { teamId } = await projectHere(ctx, projectId)
  const number = phoneOf(phone) ?? refuse(errors.phoneInvalid)
  await assertCountry(ctx, projectId, number, await settingsOf(ctx, projectId))
  const { text } = await writtenText(ctx, projectId, 'SMS_CODE', language, { code: exampleCode })
  const messageId = await queueMessage(ctx, { projectId, teamId, phone: number, text, isTest: true, isMeant: true })
  ctx.audit({ action: 'appAuth.sms_test', entity: 'project', entityId: projectId, after: { messageId } })
  return { messageId, isDelivered: (await engineOf(ctx, projectId)).isDelivering }
}
