import { refuse } from '../../../../kernel/errors.ts'
import { errors } from '../contract.ts'
import { type ProviderName, providerKinds, settingsOfKind } from '../rules.ts'
import type { OauthSettings } from './oauth.ts'
import type { OpenidSettings } from './openid.ts'

/** What the field's providers are asked at; a team may give others. */
const presets: Partial<Record<ProviderName, Readonly<Record<string, string>>>> = {
  google: { issuer: 'https://accounts.google.com' },
  googleGame: { issuer: 'https://accounts.google.com' },
  apple: { issuer: 'https://appleid.apple.com' },
  hms: { issuer: 'https://accounts.huawei.com' },
  facebook: {
    checkUrl: 'https://graph.facebook.com/debug_token',
    checkField: 'data.app_id',
    userInfoUrl: 'https://graph.facebook.com/me',
    idField: 'id',
    nameField: 'name',
  },
  qq: {
    checkUrl: 'https://graph.qq.com/oauth2.0/me?fmt=json',
    checkField: 'client_id',
    userInfoUrl: 'https://graph.qq.com/oauth2.0/me?fmt=json',
    idField: 'openid',
  },
  weibo: {
    checkUrl: 'https://api.weibo.com/oauth2/get_token_info',
    checkField: 'appkey',
    userInfoUrl: 'https://api.weibo.com/oauth2/get_token_info',
    idField: 'uid',
  },
}

/** Settings that are addresses: each must be one that may be asked. */
export const addressSettings = ['issuer', 'checkUrl', 'userInfoUrl'] as const
/** The settings of a provider with the presets for what the team left out. Refuses when one is missing. */
export function completeSettings(name: ProviderName, config: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ''))
  const all: Record<string, string> = { ...presets[name], ...given }
  const missing = settingsOfKind[providerKinds[name]].needed.find(field => !all[field])
  if (missing) refuse(errors.providerSettings, { provider: name, field: missing })
  return all
}

export function openidSettings(all: Record<string, string>, secret: string | null): OpenidSettings {
  return { issuer: all['issuer'] ?? '', clientIds: all['clientIds'] ?? '', secret }
}

export function oauthSettings(all: Record<string, string>, secret: string | null): OauthSettings {
  const { clientId = '', checkUrl = '', checkField = '', userInfoUrl = '', idField = '' } = all
  const { nameField = '', pictureField = '' } = all
  return { clientId, secret, checkUrl, checkField, userInfoUrl, idField, nameField, pictureField }
}
