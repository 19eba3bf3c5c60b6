import { type ProviderName, providerNamed, providerNumbers } from '../rules.ts'

/** Names of companies and protocols, which are the same in every language; the rest are words. */
const brands: Partial<Record<ProviderName, string>> = {
  hms: 'HUAWEI ID',
  facebook: 'Facebook',
  twitter: 'X',
  wechat: 'WeChat',
  hmsGame: 'HUAWEI Game',
  qq: 'QQ',
  weibo: 'Weibo',
  google: 'Google',
  googleGame: 'Google Play Games',
  oidc: 'OpenID Connect',
  apple: 'Apple',
  github: 'GitHub',
}

type Say = (key: string) => string

/** What a way in is called. */
export function providerText(t: Say, provider: number): string {
  const name = providerNamed(provider)
  if (name === null) return String(provider)
  return brands[name] ?? t(`ways.${name}`)
}

export const providerOptions = (t: Say) =>
  Object.values(providerNumbers).map(provider => ({ value: String(provider), label: providerText(t, provider) }))
