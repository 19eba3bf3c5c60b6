import { type Static, shape } from '../../../../kernel/shape.ts'
import { apps } from '../contract.ts'
import type { AppView } from './app-calls.ts'

const { createApp, updateApp } = apps.calls
const { defaultLang, deviceTypes } = createApp.body.properties

/** A change may leave anything out, but what every app has cannot be taken away: the form asks for it. */
export const EditedApp = shape({ ...updateApp.body.properties, defaultLang, deviceTypes })
export type AppEdit = Static<typeof EditedApp>

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
