import type { UserPermission } from '../kernel/permissions.ts'
import { hintCookies, type UserInfoCookie } from '../kernel/wire.ts'
import { isZoneId, type ZoneId } from '../kernel/zones.ts'

/**
 * Every cookie and stored value of a page (specification, section 3), in one place: hints for what is shown. The server
 * reads none of them but the session's own cookie, which no script sees.
 */
export interface StoredValues {
  'x-teamId': string
  userPermission: UserPermission
  userRoles: string[]
  /** The site id that files go to. */
  upSiteId: number
  /** The zone of the project on screen. */
  productRegion: ZoneId
  dataLocation: ZoneId
  currentProductId: string
  appInfo: { appID: string; childType: string }
  demoProject: { productId: string; teamId: string }
  /** Set when somebody has to sign in; gone once it was read. */
  loginNeeded: boolean
}

type Check<T> = (value: unknown) => value is T
const isText: Check<string> = (value): value is string => typeof value === 'string' && value !== ''
const isSite: Check<number> = (value): value is number => Number.isInteger(value)
const isTexts: Check<string[]> = (value): value is string[] => Array.isArray(value) && value.every(isText)
const isFlag: Check<boolean> = (value): value is boolean => typeof value === 'boolean'
const isMap: Check<UserPermission> = (value): value is UserPermission =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
function having<T>(fields: { [K in keyof T]: Check<T[K]> }): Check<T> {
  return (value): value is T =>
    isMap(value) && Object.entries<Check<unknown>>(fields).every(([name, check]) => check(value[name as never]))
}

const checks: { [K in keyof StoredValues]: Check<StoredValues[K]> } = {
  'x-teamId': isText,
  userPermission: isMap,
  userRoles: isTexts,
  upSiteId: isSite,
  productRegion: isZoneId,
  dataLocation: isZoneId,
  currentProductId: isText,
  appInfo: having({ appID: isText, childType: isText }),
  demoProject: having({ productId: isText, teamId: isText }),
  loginNeeded: isFlag,
}

/** Of this tab alone: two tabs may act for two teams. What somebody else wrote there is as good as nothing. */
export const stored = {
  get<K extends keyof StoredValues>(name: K): StoredValues[K] | undefined {
    const raw = sessionStorage.getItem(name)
    if (raw === null) return undefined
    const value = readJson(raw)
    return checks[name](value) ? value : undefined
  },
  set<K extends keyof StoredValues>(name: K, value: StoredValues[K]): void {
    sessionStorage.setItem(name, JSON.stringify(value))
  },
  remove(...names: readonly (keyof StoredValues)[]): void {
    for (const name of names) sessionStorage.removeItem(name)
  },
  /** Reads a value that holds once. */
  take<K extends keyof StoredValues>(name: K): StoredValues[K] | undefined {
    const value = stored.get(name)
    sessionStorage.removeItem(name)
    return value
  },
} as const

function readJson(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** What cookies of this name say: several where one was set for another path too. */
function valuesOf(name: string): string[] {
  const start = `${name}=`
  const found = document.cookie.split('; ').filter(pair => pair.startsWith(start))
  return found.flatMap(pair => decoded(pair.slice(start.length)))
}

function decoded(value: string): string[] {
  try {
    return [decodeURIComponent(value)]
  } catch {
    return []
  }
}

type Hint = Exclude<keyof typeof hintCookies, 'userInfo'>

/** A hint for pages and their analytics, or undefined. */
export function hintOf(name: Hint): string | undefined {
  return valuesOf(hintCookies[name]).find(isText)
}

/** Keeps a hint as long as a session at most. */
export function keepHint(name: Hint, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${hintCookies[name]}=${encodeURIComponent(value)}; path=/; max-age=43200; samesite=lax`
}

const isUserInfo = having<UserInfoCookie>({
  mainUserId: isText,
  siteid: isSite,
  csrftoken: isText,
  expiretime: isSite,
  expiretime_real: isSite,
})

/** The readable half of the session, or undefined when nobody is signed in here. */
export function userInfoCookie(): UserInfoCookie | undefined {
  const found = valuesOf(hintCookies.userInfo).map(readJson).filter(isUserInfo)
  return found.toSorted((one, other) => other.expiretime - one.expiretime)[0]
}
