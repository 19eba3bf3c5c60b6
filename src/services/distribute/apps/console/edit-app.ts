import type { Static } from '../../../../kernel/shape.ts'
import type { apps } from '../contract.ts'
import type { AppView } from './app-calls.ts'

export type AppEdit = Static<typeof apps.calls.updateApp.body>

export function editDefaults(app: AppView): AppEdit {
  const { appId, revision, defaultLang, kindMainTag, kindSubTags, deviceTypes } = app
  const { developerNameCn, developerNameEn, developerWebsite, contact } = app
  return {
    ...{ appId, revision, defaultLang, kindSubTags, deviceTypes },
    ...{ developerNameCn, developerNameEn, developerWebsite },
    ...(kindMainTag !== null && { kindMainTag }),
    contact: { email: contact.email ?? '', phone: contact.phone ?? '', inAppPath: contact.inAppPath ?? '' },
  }
}

/** Empty text of the developer's own facts is sent, for that is how they are taken away; a contact leaves them out. */
export function editOf(values: AppEdit): AppEdit {
  const { contact, ...rest } = values
  return { ...rest, contact: Object.fromEntries(Object.entries(contact ?? {}).filter(([, text]) => text !== '')) }
}
