/** Providers by the number that the public SDK sends (enum order of the field), ours from 20 on. */
export const providerNumbers = {
  anonymous: 0,
  hms: 1,
  facebook: 2,
  twitter: 3,
  wechat: 4,
  hmsGame: 5,
  qq: 6,
  weibo: 7,
  google: 8,
  googleGame: 9,
  selfBuilt: 10,
  phone: 11,
  email: 12,
  oidc: 20,
  apple: 22,
  github: 23,
} as const
export type ProviderName = keyof typeof providerNumbers
export const providerNames = Object.keys(providerNumbers) as [ProviderName, ...ProviderName[]]

const nameOfNumber = new Map<number, ProviderName>(providerNames.map(name => [providerNumbers[name], name]))

export function providerNamed(provider: number): ProviderName | null {
  return nameOfNumber.get(provider) ?? null
}

/** Names of companies and protocols, which are the same in every language; the rest are words. */
export const brands: Partial<Record<ProviderName, string>> = {
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

/** How a provider proves who somebody is: by an ID token, by a token that it is asked about, or by a key of the team. */
export type ProviderKind = 'own' | 'openid' | 'oauth' | 'key'
export const providerKinds: Readonly<Record<ProviderName, ProviderKind>> = {
  anonymous: 'own',
  phone: 'own',
  email: 'own',
  selfBuilt: 'key',
  google: 'openid',
  googleGame: 'openid',
  oidc: 'openid',
  apple: 'openid',
  hms: 'openid',
  hmsGame: 'oauth',
  facebook: 'oauth',
  twitter: 'oauth',
  wechat: 'oauth',
  qq: 'oauth',
  weibo: 'oauth',
  github: 'oauth',
}

/** The settings by which a provider of a kind is asked. */
export const settingsOfKind: Readonly<
  Record<ProviderKind, { needed: readonly string[]; more: readonly string[]; hasSecret: boolean }>
> = {
  own: { needed: [], more: [], hasSecret: false },
  key: { needed: ['publicKey'], more: [], hasSecret: false },
  openid: { needed: ['issuer', 'clientIds'], more: [], hasSecret: true },
  oauth: {
    needed: ['clientId', 'checkUrl', 'checkField', 'userInfoUrl', 'idField'],
    more: ['nameField', 'pictureField'],
    hasSecret: true,
  },
}
export const settingNames = Object.values(settingsOfKind).flatMap(({ needed, more }) => [...needed, ...more])

export const limits = {
  clientTokenSeconds: 172_800,
  accessSecondsLeast: 300,
  accessSecondsMost: 172_800,
  refreshDaysMost: 365,
  /** A rotated token that comes back within this time is late, not stolen. */
  rotationGraceMs: 10_000,
  recentMs: 300_000,
  codeMs: 300_000,
  codeAttempts: 5,
  codeGapMs: 60_000,
  codesAnHour: 5,
  codesAnHourOfTarget: 20,
  codesAnHourOfAddress: 20,
  passwordLeast: 8,
  passwordMost: 64,
  claimsBytes: 1024,
  importRows: 1000,
  tombstoneMs: 30 * 86_400_000,
  sessionsOfUser: 100,
  hooks: 10,
  hookMs: 5000,
  templateLength: 4000,
  pumpingLeast: 20,
  pumpingRatio: 0.2,
  pumpingBlockMs: 3_600_000,
} as const

/** How long a key signs, how long before that it is published, and how long after the next one's start it is kept. */
export const keyTimes = {
  signsMs: 90 * 86_400_000,
  publishedBeforeMs: 7 * 86_400_000,
  keptAfterMs: 7 * 86_400_000,
} as const

export interface PasswordPolicy {
  minLength: number
  /** Of lower case, upper case, digits and the rest. */
  classes: number
}

export type PasswordFault = 'short' | 'long' | 'simple' | 'own' | 'common'

const common = new Set([
  'password',
  'passw0rd',
  'password1',
  'qwerty123',
  'qwertyuiop',
  '12345678',
  '123456789',
  '1234567890',
  'iloveyou1',
  'abc12345',
  'admin123',
  'welcome1',
  '11111111',
  'a1234567',
  '1q2w3e4r',
  'zaq12wsx',
  '88888888',
  'letmein1',
])

/** What is wrong with a password, or null; `own` are words of the person. */
export function passwordFault(
  password: string,
  policy: PasswordPolicy,
  own: readonly (string | null)[] = [],
): PasswordFault | null {
  const length = [...password].length
  if (length < Math.max(policy.minLength, limits.passwordLeast)) return 'short'
  if (length > limits.passwordMost) return 'long'
  const text = password.normalize('NFKC').toLowerCase()
  if (common.has(text) || /^(.)\1*$/u.test(text)) return 'common'
  const words = own.flatMap(one => (one === null ? [] : [one.toLowerCase(), one.toLowerCase().split('@')[0] ?? '']))
  if (words.some(word => word.length >= 4 && (text === word || text === [...word].reverse().join('')))) return 'own'
  const classes = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter(one => one.test(password)).length
  return classes < policy.classes ? 'simple' : null
}

/** A mail address as it is kept and compared, or null. One mailbox has one spelling: NFKC, lower case, no blanks around. */
export function mailOf(text: string): string | null {
  const plain = text.normalize('NFKC').trim().toLowerCase()
  if (plain.length > 254 || /[\p{C}\s]/u.test(plain)) return null
  return /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(plain) && !/(^|@)\.|\.\.|\.@/.test(plain)
    ? plain
    : null
}

/** A phone number as `+cc-number`, or null. Full-width digits, blanks and leading zeros are no second spelling of one number. */
export function phoneOf(text: string): string | null {
  const plain = text.normalize('NFKC').replace(/[\s\u00a0().]/g, '')
  const found = /^(?:\+|00)(\d{1,3})-0?(\d{4,14})$/.exec(plain)
  if (!found?.[1] || !found[2]) return null
  const country = found[1].replace(/^0+/, '')
  const number = found[2].replaceAll('-', '')
  return country === '' || country.length + number.length > 15 ? null : `+${country}-${number}`
}

/** The country calling code of a phone as kept. */
export function callingCodeOf(phone: string): string {
  return phone.slice(0, phone.indexOf('-'))
}

/** Whether custom claims may go into a token. */
export function claimsFault(claims: Readonly<Record<string, unknown>>): 'large' | 'reserved' | null {
  if (new TextEncoder().encode(JSON.stringify(claims)).length > limits.claimsBytes) return 'large'
  return Object.keys(claims).some(name => reservedClaims.has(name)) ? 'reserved' : null
}

const reservedClaims = new Set([
  'iss',
  'aud',
  'sub',
  'exp',
  'iat',
  'nbf',
  'jti',
  'auth_time',
  'provider',
  'anonymous',
  'email',
  'email_verified',
  'phone',
  'fam',
  'zone',
  'team',
  'azp',
  'amr',
  'acr',
  'nonce',
  '__proto__',
  'constructor',
  'prototype',
])

export const templateKinds = ['VERIFY_EMAIL', 'RESET', 'SMS_CODE', 'WELCOME'] as const
export type TemplateKind = (typeof templateKinds)[number]
export const templateLanguages = ['zh', 'en', 'ru'] as const
export type TemplateLanguage = (typeof templateLanguages)[number]

/** What a template may name; a code stands in each but the welcome. */
export const templateWords = ['code', 'minutes', 'app', 'support', 'name'] as const

export type TemplateFault = { rule: 'word' | 'code'; word: string }

/** What is wrong with a template's text, or null: a word that nobody fills, or a code that is missing. */
export function templateFault(kind: TemplateKind, body: string): TemplateFault | null {
  const words = [...body.matchAll(/\{\{\s*([^}]*?)\s*\}\}/g)].map(found => found[1] ?? '')
  const unknown = words.find(word => !templateWords.some(one => one === word))
  if (unknown !== undefined) return { rule: 'word', word: unknown }
  return kind !== 'WELCOME' && !words.includes('code') ? { rule: 'code', word: 'code' } : null
}

/** Puts values into a template. Values are text and nothing in them is looked at again. */
export function filled(body: string, values: Readonly<Record<string, string>>): string {
  return body.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, word: string) =>
    Object.hasOwn(values, word) ? (values[word] ?? '') : whole,
  )
}

/** The language of a template for what a device says it speaks: `zh_CN`, `ru`. */
export function languageOf(lang: string | undefined): TemplateLanguage {
  const short = (lang ?? '').slice(0, 2).toLowerCase()
  return short === 'zh' || short === 'ru' ? short : 'en'
}

export type RotationVerdict = 'fresh' | 'again' | 'late' | 'stolen'

/**
 * What the refresh token of a generation means when `current` is the newest that was used. `strict` tokens are good once;
 * else a token is good until its successor was used, for the public SDK never takes a new one.
 */
export function judgeRotation(
  given: number,
  session: { generation: number; rotatedAt: number },
  rotation: 'strict' | 'byUse',
  now: number,
): RotationVerdict {
  const isLate = now - session.rotatedAt < limits.rotationGraceMs
  if (rotation === 'byUse') {
    if (given === session.generation) return 'again'
    if (given === session.generation + 1) return 'fresh'
    return given < session.generation && isLate ? 'late' : 'stolen'
  }
  if (given === session.generation) return 'fresh'
  return given === session.generation - 1 && isLate ? 'late' : 'stolen'
}

/** Whether a country is being pumped: many messages, few of them used. */
export function isPumped(sent: number, used: number): boolean {
  return sent >= limits.pumpingLeast && used / sent < limits.pumpingRatio
}

export const hashAlgorithms = [
  'ARGON2',
  'BCRYPT',
  'SCRYPT',
  'STANDARD_SCRYPT',
  'PBKDF2_SHA1',
  'PBKDF2_SHA256',
  'PBKDF2_SHA512',
  'HMAC_MD5',
  'HMAC_SHA1',
  'HMAC_SHA256',
  'HMAC_SHA512',
  'MD5',
  'SHA1',
  'SHA256',
  'SHA512',
] as const
export type HashAlgorithm = (typeof hashAlgorithms)[number]
