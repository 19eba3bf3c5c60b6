import { client } from '../../../../console/client.ts'
import type { Language } from '../../../../console/language.ts'
import { projectZone, teamZone } from '../../../../console/session.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { type KeptMail, type Notice, type NoticeSettings, notices } from '../contract.ts'

export const api = client(notices)
export type NoticeView = Static<typeof Notice>
export type SettingsView = Static<typeof NoticeSettings>
export type MailView = Static<typeof KeptMail>

/** Notices are kept where they happened: in the zone on screen, else in the team's. */
export function inboxZone(): { zone?: NonNullable<ReturnType<typeof teamZone>> } {
  const zone = projectZone.get() ?? teamZone()
  return zone ? { zone } : {}
}

export const inLanguage = (text: NoticeView['title'], language: string | undefined) => text[language as Language]
