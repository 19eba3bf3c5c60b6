import { lifeCycle } from '../../../kernel/life-cycle.ts'
import type { SwitchName } from '../../../kernel/switches.ts'

export const packageTypes = [
  'ANDROID',
  'HARMONY',
  'ATOMIC_SERVICE',
  'QUICK_APP',
  'H5_QUICK',
  'WEB',
  'PC_EXE',
  'NO_PACKAGE',
] as const
export type PackageType = (typeof packageTypes)[number]

/** The switch of the system that apps of a type are made for (specification, section 6); without a package it is none. */
const switchOfType: Readonly<Record<PackageType, SwitchName | null>> = {
  ANDROID: 'osSwitch1',
  HARMONY: 'osSwitch2',
  ATOMIC_SERVICE: 'osSwitch2',
  QUICK_APP: 'osSwitch3',
  H5_QUICK: 'osSwitch3',
  WEB: 'osSwitch3',
  PC_EXE: 'osSwitch4',
  NO_PACKAGE: null,
}

/** The types that apps can be made of while these switches are on; apps that are there go on whatever their type. */
export function openPackageTypes(isOn: (name: SwitchName) => boolean): PackageType[] {
  return packageTypes.filter(type => {
    const name = switchOfType[type]
    return name === null || isOn(name)
  })
}

/** Device types by number: 4 phone, 5 tablet, 6 computer, 7 television, 8 watch, 9 car. */
export const deviceTypes = { phone: 4, tablet: 5, computer: 6, television: 7, watch: 8, car: 9 } as const
export const deviceTypeNumbers: readonly number[] = Object.values(deviceTypes)

export const limits = {
  appsOfTeam: 500,
  appsOfMove: 20,
  nonAgAppsOfTeam: 500,
  nameLength: 64,
  packageNameLength: 255,
  subTags: 4,
  deviceTypes: 6,
  websiteLength: 255,
  reasonMin: 10,
  reasonMax: 1024,
} as const

/** A deleted app keeps its package name, and its row, this long. */
export const reservationMs = 30 * 86_400_000

export const appStates = ['ACTIVE', 'FROZEN', 'DELETED'] as const
export type AppState = (typeof appStates)[number]
export const appActions = ['edit', 'delete', 'freeze', 'unfreeze', 'purge'] as const
export type AppAction = (typeof appActions)[number]
export type AppFact = 'neverOnShelf' | 'notSubmitted'

export const appLifeCycle = lifeCycle<AppState, AppAction, AppFact>({
  entity: 'app',
  states: appStates,
  moves: [
    { from: ['ACTIVE'], action: 'edit', to: 'ACTIVE', may: 'apps.edit', event: 'app.updated' },
    {
      from: ['ACTIVE'],
      action: 'delete',
      to: 'DELETED',
      may: 'apps.delete',
      needs: ['neverOnShelf', 'notSubmitted'],
      event: 'app.deleted',
    },
    { from: ['ACTIVE'], action: 'freeze', to: 'FROZEN', may: 'store.operate', event: 'app.frozen' },
    { from: ['FROZEN'], action: 'unfreeze', to: 'ACTIVE', may: 'store.operate', event: 'app.unfrozen' },
    { from: ['DELETED'], action: 'purge', to: null, may: 'system', event: 'app.purged' },
  ],
})

/** States of an open version in which somebody works on it besides the developer; versions tells them. */
const submittedStates: readonly string[] = ['PRECHECK', 'IN_REVIEW', 'PENDING_RELEASE']

/** What decides whether an app can go; `neverOnShelf` comes first, for then only taking off the shelf remains. */
export function appFacts(app: { lastShelf: unknown; openVersionState: string | null }): Record<AppFact, boolean> {
  return {
    neverOnShelf: app.lastShelf === null,
    notSubmitted: app.openVersionState === null || !submittedStates.includes(app.openVersionState),
  }
}

export const developStatuses = ['NOT_STARTED', 'DEVELOPING', 'TESTING', 'ON_SHELF'] as const
export type DevelopStatus = (typeof developStatuses)[number]
/** What a developer may say himself; that an app is on shelf is a fact. */
export const saidDevelopStatuses = ['NOT_STARTED', 'DEVELOPING', 'TESTING'] as const

/** How far an app is: on shelf, else what its developer says, else worked on (a package was accepted or a version is open) or only registered. */
export function developStatusOf(app: {
  shelf: unknown
  developStatusSaid: DevelopStatus | null
  packageNameSettled: boolean
  openVersionId: string | null
}): DevelopStatus {
  if (app.shelf) return 'ON_SHELF'
  if (app.developStatusSaid) return app.developStatusSaid
  return app.packageNameSettled || app.openVersionId ? 'DEVELOPING' : 'NOT_STARTED'
}

export const moveBlocks = [
  'FROZEN',
  'SUBMITTED',
  'PHASED',
  'PROCESSING',
  'CLAIM',
  'API_CLIENTS',
  'IN_SERIES',
  'MOVING',
  'DEMO',
  'NO_SUCH_PROJECT',
  'SAME_PROJECT',
  'OTHER_ZONE',
] as const
export type MoveBlock = (typeof moveBlocks)[number]

/** What of the app itself keeps it from going anywhere; the services say the rest. */
export function ownBlocks(app: { state: AppState; openVersionState: string | null; isDemo: boolean }): MoveBlock[] {
  return [
    ...(app.isDemo ? (['DEMO'] as const) : []),
    ...(app.state === 'FROZEN' ? (['FROZEN'] as const) : []),
    ...(app.openVersionState !== null && submittedStates.includes(app.openVersionState)
      ? (['SUBMITTED'] as const)
      : []),
  ]
}

/** What of the project keeps an app from going there; `target` is null when the team has no such project. */
export function targetBlocks(
  app: { projectId: string },
  target: { projectId: string; isSameZone: boolean } | null,
): MoveBlock[] {
  return [
    ...(target ? [] : (['NO_SUCH_PROJECT'] as const)),
    ...(target?.projectId === app.projectId ? (['SAME_PROJECT'] as const) : []),
    ...(target && !target.isSameZone ? (['OTHER_ZONE'] as const) : []),
  ]
}

/** A name as two apps of one product share it: NFKC, lower case, blanks collapsed. */
export function productName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** The numeric word of the field for a package type: 1 Android, 7 HarmonyOS; the others are ours. */
export const childTypes: Readonly<Record<PackageType, number>> = {
  ANDROID: 1,
  HARMONY: 7,
  ATOMIC_SERVICE: 8,
  QUICK_APP: 3,
  H5_QUICK: 4,
  WEB: 5,
  PC_EXE: 6,
  NO_PACKAGE: 0,
}

const androidName = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$/
const harmonyName = /^[A-Za-z][A-Za-z0-9_.]*$/
const quickName = /^[A-Za-z][A-Za-z0-9_.]*\.[A-Za-z0-9_.]*$/

const nameRules: Readonly<Record<PackageType, { pattern: RegExp; min: number; max: number; says: string } | null>> = {
  ANDROID: {
    pattern: androidName,
    min: 3,
    max: 255,
    says: 'At least two parts joined by dots, each a letter first, then letters, digits and _; 3 to 255 characters.',
  },
  HARMONY: {
    pattern: harmonyName,
    min: 7,
    max: 127,
    says: 'A letter first, then letters, digits, _ and dots; 7 to 127 characters.',
  },
  ATOMIC_SERVICE: {
    pattern: harmonyName,
    min: 7,
    max: 127,
    says: 'A letter first, then letters, digits, _ and dots; 7 to 127 characters.',
  },
  QUICK_APP: {
    pattern: quickName,
    min: 3,
    max: 255,
    says: 'A letter first, then letters, digits, _ and at least one dot; at most 255 characters.',
  },
  H5_QUICK: {
    pattern: quickName,
    min: 3,
    max: 255,
    says: 'A letter first, then letters, digits, _ and at least one dot; at most 255 characters.',
  },
  WEB: null,
  PC_EXE: null,
  NO_PACKAGE: null,
}

/** Whether apps of this type have a package name at all. */
export function hasPackageName(packageType: PackageType): boolean {
  return nameRules[packageType] !== null
}

export function isPackageName(packageType: PackageType, packageName: string): boolean {
  const rule = nameRules[packageType]
  if (!rule) return false
  return packageName.length >= rule.min && packageName.length <= rule.max && rule.pattern.test(packageName)
}

/** The rule in words, for the form and the refusal. */
export function packageNameRule(packageType: PackageType): string {
  return nameRules[packageType]?.says ?? 'Apps of this type have no package name.'
}
