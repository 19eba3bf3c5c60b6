import { useSyncExternalStore } from 'react'
import { holds, type UserPermission } from '../kernel/permissions.ts'
import { hintCookies, logoutBlockMs, type UserInfoCookie } from '../kernel/wire.ts'
import { type ZoneId, zoneOfSite } from '../kernel/zones.ts'
import { createStore } from './store.ts'

export interface SessionTeam {
  teamId: string
  name: string
  siteId: number
}

/** What the session call answers; the frame needs no more. */
export interface SessionInfo {
  account: { id: string; name: string; loginName: string; staffRoles: readonly string[] }
  teams: readonly SessionTeam[]
  teamId: string | null
  userPermission: UserPermission
  userRoles: readonly string[]
  csrfToken: string
  softExpireAt: number
  hardExpireAt: number
}

/** The calls the frame makes about the session; `ground/session` gives them, so that the frame knows no service. */
export interface SessionPort {
  /** For the team of this tab, or the one that sign-in starts in. */
  read: (teamId?: string) => Promise<SessionInfo>
  /** Makes the server, too, act for the team from here on: a new token for it, and sign-in starts in it. */
  switchTeam: (teamId: string) => Promise<unknown>
  refresh: () => Promise<{ accountStatus?: number | undefined }>
  logout: () => Promise<unknown>
}

export type SessionState = { status: 'unknown' | 'out' } | { status: 'in'; info: SessionInfo; teamId: string | null }

const keys = { team: 'x-teamId', permission: 'userPermission', back: 'loggia.back', logout: 'loggia.logoutAt' } as const
const state = createStore<SessionState>({ status: 'unknown' })
const project = createStore<ZoneId | undefined>(undefined)

function readCookie(name: string): string | undefined {
  const found = document.cookie.split('; ').find(pair => pair.startsWith(`${name}=`))
  return found?.slice(name.length + 1)
}

/** The readable half of the session, or undefined when nobody is signed in here. */
export function userInfoCookie(): UserInfoCookie | undefined {
  const raw = readCookie(hintCookies.userInfo)
  if (!raw) return undefined
  try {
    return JSON.parse(decodeURIComponent(raw)) as UserInfoCookie
  } catch {
    return undefined
  }
}

/** `near` is five minutes before soft expiry, when a refresh is cheap and saves a refused call. */
export function expiry(now = Date.now()): 'none' | 'fresh' | 'near' | 'soft' | 'hard' {
  const cookie = userInfoCookie()
  if (!cookie) return 'none'
  if (now >= cookie.expiretime_real) return 'hard'
  if (now >= cookie.expiretime) return 'soft'
  return now >= cookie.expiretime - 300_000 ? 'near' : 'fresh'
}

export function csrfToken(): string | undefined {
  return userInfoCookie()?.csrftoken
}

export function currentTeamId(): string | undefined {
  return sessionStorage.getItem(keys.team) ?? readCookie(hintCookies.teamId) ?? undefined
}

/** Takes over what the session call answered. The team of this tab stays if the person is still in it. */
export function enterSession(info: SessionInfo): void {
  const kept = sessionStorage.getItem(keys.team)
  const teamId = info.teams.some(team => team.teamId === kept) ? kept : (info.teamId ?? info.teams[0]?.teamId ?? null)
  if (teamId) sessionStorage.setItem(keys.team, teamId)
  else sessionStorage.removeItem(keys.team)
  sessionStorage.setItem(keys.permission, JSON.stringify(info.userPermission))
  state.set({ status: 'in', info, teamId })
}

/** Makes every later call act for this team; the caller reads the session anew for its permissions. */
export function chooseTeam(teamId: string): void {
  sessionStorage.setItem(keys.team, teamId)
}

export function leaveSession(): void {
  sessionStorage.removeItem(keys.team)
  sessionStorage.removeItem(keys.permission)
  project.set(undefined)
  state.set({ status: 'out' })
}

/** A logout in progress blocks another for ten seconds (specification, section 9). */
export function mayLogOut(now = Date.now()): boolean {
  if (now - Number(localStorage.getItem(keys.logout) ?? 0) < logoutBlockMs) return false
  localStorage.setItem(keys.logout, String(now))
  return true
}

export const sessionState = state.get
export const watchSession = state.subscribe

export function useSession(): SessionState {
  return useSyncExternalStore(state.subscribe, state.get)
}

/** Whether the signed-in person holds a permission in the current team; `none` is held by everybody signed in. */
export function may(permission: string): boolean {
  const now = state.get()
  return now.status === 'in' && (permission === 'none' || holds(now.info.userPermission, permission))
}

/** The zone of the project on screen; calls whose zone is `current` go there. Undefined goes to the team's zone. */
export const projectZone = project
export function teamZone(): ZoneId | undefined {
  const now = state.get()
  const team = now.status === 'in' ? now.info.teams.find(one => one.teamId === now.teamId) : undefined
  return team && zoneOfSite(team.siteId)
}

/** Where to go after sign-in; read once. Only a hash of this console is kept, so no stranger can steer it. */
export const returnAddress = {
  keep: (hash: string): void => sessionStorage.setItem(keys.back, hash),
  take: (): string => {
    const hash = sessionStorage.getItem(keys.back)
    sessionStorage.removeItem(keys.back)
    return hash?.startsWith('#/') && !hash.startsWith('#/sign-in') ? hash : '#/'
  },
}
