import { useSyncExternalStore } from 'react'
import { holds, type UserPermission } from '../kernel/permissions.ts'
import { logoutBlockMs } from '../kernel/wire.ts'
import { type ZoneId, zoneOfSite } from '../kernel/zones.ts'
import { mode } from './mode.ts'
import { serverNow } from './server-clock.ts'
import { createStore } from './store.ts'
import { hintOf, keepHint, stored, userInfoCookie } from './stored.ts'

export interface SessionTeam {
  teamId: string
  name: string
  siteId: number
  countryCode: string
  /** 0: as the account's. */
  userType: number
}

/** What the session call answers; the frame needs no more. */
export interface SessionInfo {
  account: { id: string; name: string; loginName: string; staffRoles: readonly string[]; verifyRealState: number }
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
  /** What a visitor may look around in, or null where the operator shows nothing. */
  visit: () => Promise<{ productId: string; teamId: string } | null>
}

export type SessionState = { status: 'unknown' | 'out' } | { status: 'in'; info: SessionInfo; teamId: string | null }

const keys = { back: 'loggia.back', logout: 'loggia.logoutAt' } as const
const state = createStore<SessionState>({ status: 'unknown' })
const project = createStore<ZoneId | undefined>(undefined)

/** `near` is five minutes before soft expiry, when a refresh is cheap and saves a refused call. */
export function expiry(now = serverNow()): 'none' | 'fresh' | 'near' | 'soft' | 'hard' {
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
  return mode.isDemoProject() ? stored.get('demoProject')?.teamId : (stored.get('x-teamId') ?? hintOf('teamId'))
}

/** Takes over what the session call answered. The team of this tab stays if the person is still in it. */
export function enterSession(info: SessionInfo): void {
  const kept = currentTeamId()
  const team = info.teams.find(one => one.teamId === kept) ?? info.teams.find(one => one.teamId === info.teamId)
  const { teamId = null } = team ?? info.teams[0] ?? {}
  if (!mode.isDemoProject()) keepHints(info, teamId)
  state.set({ status: 'in', info, teamId })
}

/** Individuals are 1, enterprises 2; whoever proved neither is 0. */
const userTypes: Readonly<Record<number, number>> = { 2: 1, 3: 2 }

function keepHints(info: SessionInfo, teamId: string | null): void {
  const team = info.teams.find(one => one.teamId === teamId)
  if (teamId) stored.set('x-teamId', teamId)
  else stored.remove('x-teamId')
  stored.set('userPermission', info.userPermission)
  stored.set('userRoles', [...info.userRoles])
  const { verifyRealState } = info.account
  keepHint('verifyRealState', String(verifyRealState))
  keepHint('userType', String(userTypes[verifyRealState] ?? 0))
  if (!team) return
  stored.set('upSiteId', team.siteId)
  stored.set('dataLocation', zoneOfSite(team.siteId))
  keepHint('teamCountry', team.countryCode)
  keepHint('country', team.countryCode)
  keepHint('teamUserType', String(team.userType))
}

/** Makes every later call act for this team; the caller reads the session anew for its permissions. */
export function chooseTeam(teamId: string): void {
  stored.set('x-teamId', teamId)
}

const ofSession = ['x-teamId', 'userPermission', 'userRoles', 'upSiteId', 'dataLocation', 'productRegion'] as const

/** Forgets the person; what pages of another sign-in keep in this tab stays. */
export function leaveSession(): void {
  if (!mode.keepsSessionData()) stored.remove(...ofSession)
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

/** The team that this tab acts for; a visitor's is the demo's. */
export function currentTeam(): SessionTeam | undefined {
  const now = state.get()
  return now.status === 'in' ? now.info.teams.find(one => one.teamId === now.teamId) : undefined
}

/** Whether the signed-in person holds a permission in the current team; `none` is held by everybody signed in. */
export function may(permission: string): boolean {
  const now = state.get()
  return now.status === 'in' && (permission === 'none' || holds(now.info.userPermission, permission))
}

/** The zone of the project on screen; calls whose zone is `current` go there. Undefined goes to the team's zone. */
export const projectZone = project
export function teamZone(): ZoneId | undefined {
  const team = currentTeam()
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
