import type { Answer } from '../../../../kernel/contract.ts'
import type { AppRow } from '../../apps/public.ts'
import { versions } from '../contract.ts'
import { versionListings } from '../listing/contract.ts'
import { releaseModes } from '../rules.ts'
import { versionDeclarations } from './contract.ts'
import { aiContentTypes } from './rules.ts'

type Field = Answer<(typeof versionDeclarations.calls)['getFormModel']>['list'][number]
type Section = Field['section']

interface Schema {
  type?: string
  enum?: readonly unknown[]
  maxLength?: number
  properties?: Readonly<Record<string, Schema>>
}

const longTexts: readonly string[] = ['appDesc', 'newFeatures', 'remark']
const instants: readonly string[] = ['onShelfTime']
const shownWhen: Readonly<Record<string, { key: string; equals: string }>> = {
  onShelfTime: { key: 'releaseMode', equals: 'TIMED' },
  testAccount: { key: 'loginRequired', equals: 'true' },
  testPassword: { key: 'loginRequired', equals: 'true' },
  types: { key: 'involved', equals: 'true' },
  providerNames: { key: 'involved', equals: 'true' },
  algorithmFilingNo: { key: 'involved', equals: 'true' },
}

const sections: Readonly<Record<Exclude<Section, 'listing' | 'ai'>, readonly string[]>> = {
  package: ['pkgId'],
  release: ['releaseMode', 'onShelfTime', 'inAppUpdatePriority', 'minVersionCode', 'noDowngrade'],
  countries: ['countries'],
  review: ['privacyPolicyUrl', 'remark', 'loginRequired', 'testAccount', 'testPassword'],
}
const listingFields = ['appName', 'briefInfo', 'appDesc', 'newFeatures', 'iconObjectId', 'screenshots']
const aiFields = ['involved', 'types', 'providerNames', 'algorithmFilingNo']

/** The fields of the next version, their limits read from the contracts and their need from what the app is. */
export function formModel(app: Pick<AppRow, 'packageType' | 'lastShelf'>): Field[] {
  const needed = new Set([
    'countries',
    'privacyPolicyUrl',
    'appName',
    'briefInfo',
    'appDesc',
    'iconObjectId',
    'screenshots',
  ])
  if (!['NO_PACKAGE', 'WEB'].includes(app.packageType)) needed.add('pkgId')
  if (app.lastShelf !== null) needed.add('newFeatures')
  for (const key of ['testAccount', 'testPassword', 'onShelfTime', 'types', 'providerNames']) needed.add(key)
  const fieldsOf = (section: Section, schema: Schema, keys: readonly string[]) =>
    keys.map(key => toField(section, key, schema.properties?.[key] ?? {}, needed.has(key)))
  const version = versions.calls.updateVersion.body as Schema
  return [
    ...Object.entries(sections).flatMap(([section, keys]) => fieldsOf(section as Section, version, keys)),
    ...fieldsOf('listing', versionListings.calls.updateListing.body as Schema, listingFields),
    ...fieldsOf('ai', versionDeclarations.calls.updateAiContent.body as Schema, aiFields),
  ]
}

function toField(section: Section, key: string, schema: Schema, required: boolean): Field {
  const options = key === 'releaseMode' ? releaseModes : key === 'types' ? aiContentTypes.map(String) : []
  return {
    key,
    section,
    type: typeOf(key, schema),
    required,
    maxLen: schema.maxLength ?? null,
    options: [...options],
    visibleWhen: shownWhen[key] ?? null,
  }
}

function typeOf(key: string, schema: Schema): Field['type'] {
  if (key === 'pkgId' || key === 'iconObjectId') return 'object'
  if (key === 'screenshots') return 'objects'
  if (instants.includes(key)) return 'instant'
  if (schema.enum) return 'choice'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'integer') return 'number'
  if (schema.type === 'array') return 'list'
  return longTexts.includes(key) ? 'longText' : 'text'
}
