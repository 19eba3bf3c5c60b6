import { asking } from '../../../../server/asking.ts'
import { type Handlers, implement } from '../../../../server/implement.ts'
import { objectUploads } from '../../../ground/files/uploads/contract.ts'
import { apps } from '../../apps/contract.ts'
import { appFieldsOf, changeApp, changeLanguage, removeLanguage } from '../../publishing/public.ts'
import { appViews, appViewsV2 } from './contract.ts'
import { inOwnWords, newApp } from './rules.ts'
import { whole } from './whole.ts'

const handlers: Handlers<typeof appViews> = {
  createApp: asking(async (ask, { body }) => {
    const { appId } = await ask(apps, 'createApp', { body: newApp(body) })
    return whole(ask, appId)
  }),

  getApp: asking((ask, { params, query }) => whole(ask, params.appId, query.lang)),

  updateApp: asking(async (ask, { params, body }) => {
    const app = await ask(apps, 'getApp', { query: params })
    const { privacyPolicy, publishCountry, revision, ...fields } = body
    await changeApp(ask, app, { app: inOwnWords(fields), privacyPolicy, publishCountry, revision })
    return whole(ask, params.appId)
  }),

  deleteApp: asking((ask, { params }) => ask(apps, 'deleteApp', { query: params })),

  updateLanguage: asking(async (ask, { params, body }) => {
    const { icon, ...texts } = body
    return changeLanguage(ask, params.appId, params.language, { ...texts, iconObjectId: icon })
  }),

  deleteLanguage: asking((ask, { params }) => removeLanguage(ask, params.appId, params.language)),

  listAppInfo: asking(async (ask, { query }) => {
    const page = await ask(apps, 'listApps', { query })
    const list = page.list.map(app => ({
      ...app,
      ...appFieldsOf(app),
      appName: app.name,
      onShelfVersionNumber: app.shelf?.versionName ?? null,
      onShelfVersionCode: app.shelf?.versionCode ?? null,
      updateTime: app.updatedAt,
    }))
    return { ...page, list }
  }),

  makeTempUrl: asking(async (ask, { body }) => {
    const made = await ask(objectUploads, 'makeAddress', { body })
    return { tempUrl: made.urlInfo.url, ...made }
  }),
}

export default implement(appViews, handlers)
export const secondGeneration = implement(appViewsV2, handlers)
