import type { Input } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import { languageKeyOf } from '../../../kernel/field-words.ts'
import type { Ask } from '../../../server/asking.ts'
import { apps } from '../apps/contract.ts'
import { publishing } from './contract.ts'
import { appAndVersions, appView, changeApp, changeLanguage, removeLanguage } from './public.ts'
import { limits } from './rules.ts'

type Calls = (typeof publishing)['calls']

export async function appIds(ask: Ask, { query }: Input<Calls['listAppIds']>) {
  const names = [...new Set(query.packageName.split(',').map(one => one.trim()))].slice(0, limits.appsAtOnce)
  const appids = []
  for (const name of names) {
    const { list } = await ask(apps, 'listApps', { query: { search: name, pageSize: 100 } })
    appids.push(...list.filter(app => app.packageName === name).map(app => ({ key: app.name, value: app.appId })))
  }
  return { appids }
}

export async function appInfo(ask: Ask, { query }: Input<Calls['getAppInfo']>) {
  return (await appView(ask, query.appId, query.lang)).view
}

const changeable = ['defaultLang', 'privacyPolicy', 'publishCountry']

export async function changeAppInfo(ask: Ask, { query, body }: Input<Calls['updateAppInfo']>) {
  const { app } = await appAndVersions(ask, query.appId)
  const others = Object.keys(body).filter(field => !changeable.includes(field))
  if (others.length > 0) refuse(publishing.errors.fieldNotTaken, { fields: others })
  const { defaultLang, privacyPolicy, publishCountry } = body
  await changeApp(ask, app, {
    app: defaultLang === undefined ? {} : { defaultLang: languageKeyOf(defaultLang) },
    privacyPolicy,
    publishCountry,
  })
  return {}
}

export async function changeLanguageInfo(ask: Ask, { query, body }: Input<Calls['updateLanguageInfo']>) {
  const { lang, appName, appDesc, briefInfo, newFeatures } = body
  await changeLanguage(ask, query.appId, lang, { appName, appDesc, briefInfo, newFeatures })
  return {}
}

export async function removeLanguageInfo(ask: Ask, { query }: Input<Calls['deleteLanguageInfo']>) {
  await removeLanguage(ask, query.appId, query.lang)
  return {}
}
