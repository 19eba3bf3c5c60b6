import { type FilmSeen, filmFaults } from '../../../../kernel/film.ts'
import { isPolicyUrl } from '../../../../kernel/links.ts'

export type Severity = 'BLOCK' | 'WARN'

export interface Finding {
  rule: string
  severity: Severity
  field: string
  message: string
  values: Record<string, string | number>
  fixHref: string
}

export interface Submitter {
  /** Whether the operator takes versions of people whose real name was not verified. */
  mayBeUnverified: boolean
  isVerified: boolean
}

export interface ReadinessFacts {
  now: number
  appId: string
  versionId: string
  /** Who would submit it; null where the store itself looks. */
  submitter: Submitter | null
  /** Apps of some types are a store page only. */
  needsPackage: boolean
  kindMainTag: number | null
  deviceTypes: readonly number[]
  defaultLang: string
  appPackageName: string | null
  package: {
    pkgId: string
    state: 'UPLOADED' | 'PARSING' | 'CHECKING' | 'COMPILING' | 'READY' | 'FAILED' | 'ARCHIVED'
    isTestOnly: boolean
    packageName: string | null
    versionCode: string | null
    targetSdk: number | null
    sizeBytes: number
    failures: readonly string[]
  } | null
  /** The version on shelf, and the highest code that ever was. */
  shelf: { pkgId: string | null; maxVersionCode: string | null; sizeBytes: number | null } | null
  countries: readonly string[]
  privacyPolicyUrl: string
  releaseMode: 'AUTO' | 'MANUAL' | 'TIMED'
  onShelfTime: number | null
  isReleaseTimeRight: boolean
  loginRequired: boolean
  hasTestAccount: boolean
  listings: readonly {
    lang: string
    appName: string
    briefInfo: string
    appDesc: string
    newFeatures: string
    hasIcon: boolean
    screenshots: readonly { deviceType: number; count: number }[]
    film: FilmSeen | null
  }[]
  /** How many screenshots each of the app's device types needs. */
  screenshotsNeeded: readonly { deviceType: number; min: number; max: number }[]
  /** A name another app on shelf has in a common country, by language. */
  takenNames: readonly { lang: string; appName: string }[]
  blockedNames: readonly { lang: string; appName: string; word: string }[]
  /** Tags of the app that need an approval somewhere, and have none or one that ends soon. */
  qualificationGaps: readonly {
    tagName: { zhCN: string; enUS: string; ruRU: string }
    countries: readonly string[]
    state: 'MISSING' | 'WAITING' | 'ENDING'
    expireAt: number | null
  }[]
  /** What of its filing keeps the app from mainland China. */
  recordalGap: 'MISSING' | 'CHECKING' | 'MISMATCH' | 'NOT_FOUND' | 'EXPIRED' | null
  /** Renames left this year in mainland China, when this would be one. */
  renamesLeft: number | null
}

/** Below this API level a package earns a warning. */
const targetSdkFloor = 30
const growthPercent = 30

/** What stands in the way of submitting, and what deserves a look; the same list for the dry run and the submit. */
export function readinessOf(facts: ReadinessFacts): Finding[] {
  const find = finder(facts)
  return [
    ...submitterFindings(facts),
    ...packageFindings(facts, find),
    ...defaultListingFindings(facts, find),
    ...filmFindings(facts, find),
    ...nameFindings(facts, find),
    ...settingFindings(facts, find),
    ...qualificationFindings(facts, find),
    ...recordalFindings(facts, find),
    ...translationFindings(facts, find),
  ]
}

export function blocksOf(findings: readonly { severity: Severity }[]): number {
  return findings.filter(finding => finding.severity === 'BLOCK').length
}

type Find = (
  rule: string,
  severity: Severity,
  field: string,
  section: string,
  message: string,
  values?: Record<string, string | number>,
) => Finding

function finder({ appId, versionId }: ReadinessFacts): Find {
  return (rule, severity, field, section, message, values = {}) => ({
    rule,
    severity,
    field,
    message: message.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole)),
    values,
    fixHref: `/apps/${appId}/version/${versionId}?section=${section}`,
  })
}

export const realNameRule = 'person.realName'

/** With the switch of unverified names off only people whose real name was verified submit (specification, section 6). */
export function isRealNameMissing(submitter: Submitter | null): boolean {
  return submitter !== null && !submitter.mayBeUnverified && !submitter.isVerified
}

function submitterFindings({ submitter }: ReadinessFacts): Finding[] {
  if (!isRealNameMissing(submitter)) return []
  const message = 'Only people whose real name was verified can submit; verify yours first (#/real-name).'
  return [{ rule: realNameRule, severity: 'BLOCK', field: '/submitter', message, values: {}, fixHref: '/real-name' }]
}

function packageFindings(facts: ReadinessFacts, find: Find): Finding[] {
  const { package: pkg, shelf } = facts
  if (!pkg) {
    if (!facts.needsPackage) return []
    return [find('package.missing', 'BLOCK', '/pkgId', 'package', 'Choose a package, or upload one.')]
  }
  if (pkg.state === 'FAILED') {
    const reasons = pkg.failures.join('; ').slice(0, 500) || 'see the package'
    return [
      find('package.failed', 'BLOCK', '/pkgId', 'package', 'The package was refused: {reasons}. Upload another.', {
        reasons,
        pkgId: pkg.pkgId,
      }),
    ]
  }
  if (pkg.state === 'ARCHIVED') {
    return [find('package.archived', 'BLOCK', '/pkgId', 'package', 'The package is archived; choose another.')]
  }
  if (pkg.state !== 'READY') {
    return [
      find(
        'package.processing',
        'BLOCK',
        '/pkgId',
        'package',
        'The package is being processed ({state}); submit with submitWhenReady to have it go by itself.',
        { state: pkg.state, pkgId: pkg.pkgId },
      ),
    ]
  }
  const found: Finding[] = []
  if (pkg.isTestOnly) {
    found.push(
      find(
        'package.testOnly',
        'BLOCK',
        '/pkgId',
        'package',
        'The package can be used for testing only; choose another.',
      ),
    )
  }
  if (facts.appPackageName !== null && pkg.packageName !== null && facts.appPackageName !== pkg.packageName) {
    found.push(
      find('package.name', 'BLOCK', '/pkgId', 'package', 'The package is {actual}, the app is {expected}.', {
        expected: facts.appPackageName,
        actual: pkg.packageName,
      }),
    )
  }
  const isNew = shelf !== null && shelf.pkgId !== pkg.pkgId
  if (isNew && shelf.maxVersionCode !== null && BigInt(pkg.versionCode ?? 0) <= BigInt(shelf.maxVersionCode)) {
    found.push(
      find(
        'package.versionCode',
        'BLOCK',
        '/pkgId',
        'package',
        'The version code is {actual}; it must be greater than {highest}, the highest that was on shelf.',
        { actual: pkg.versionCode ?? '0', highest: shelf.maxVersionCode },
      ),
    )
  }
  if (pkg.targetSdk !== null && pkg.targetSdk < targetSdkFloor) {
    found.push(
      find('package.targetSdk', 'WARN', '/pkgId', 'package', 'The package targets API {actual}; {floor} is advised.', {
        actual: pkg.targetSdk,
        floor: targetSdkFloor,
      }),
    )
  }
  const grown = isNew && shelf.sizeBytes ? (pkg.sizeBytes / shelf.sizeBytes - 1) * 100 : 0
  if (grown > growthPercent) {
    found.push(
      find('package.growth', 'WARN', '/pkgId', 'package', 'The package is {percent} % larger than the one on shelf.', {
        percent: Math.round(grown),
      }),
    )
  }
  return found
}

function defaultListingFindings(facts: ReadinessFacts, find: Find): Finding[] {
  const lang = facts.defaultLang
  const at = (field: string) => `/listings/${lang}/${field}`
  const section = `listing&lang=${lang}`
  const listing = facts.listings.find(one => one.lang === lang)
  const missing = (rule: string, field: string, what: string) =>
    find(rule, 'BLOCK', at(field), section, `Give the ${what} in the default language {lang}.`, { lang })
  const found: Finding[] = []
  if (!listing?.appName.trim()) found.push(missing('listing.name', 'appName', 'name'))
  if (!listing?.briefInfo.trim()) found.push(missing('listing.brief', 'briefInfo', 'short description'))
  if (!listing?.appDesc.trim()) found.push(missing('listing.description', 'appDesc', 'description'))
  if (!listing?.hasIcon) found.push(missing('listing.icon', 'icon', 'icon'))
  for (const { deviceType, min, max } of facts.screenshotsNeeded) {
    const count = listing?.screenshots.find(one => one.deviceType === deviceType)?.count ?? 0
    if (count >= min && count <= max) continue
    found.push(
      find(
        'listing.screenshots',
        'BLOCK',
        at('screenshots'),
        section,
        'Device type {deviceType} has {count} screenshots in {lang}; it needs {min} to {max}.',
        { deviceType, count, min, max, lang },
      ),
    )
  }
  const isUpgrade = facts.shelf !== null && facts.shelf.pkgId !== (facts.package?.pkgId ?? null)
  if (isUpgrade && !listing?.newFeatures.trim()) {
    found.push(missing('listing.newFeatures', 'newFeatures', 'text about what is new'))
  }
  return found
}

/** Of films in any language: whatever is published has been looked at. */
function filmFindings({ listings }: ReadinessFacts, find: Find): Finding[] {
  return listings.flatMap(({ lang, film }) =>
    filmFaults(film).map(({ rule, severity, message, seen }) =>
      find(rule, severity, `/listings/${lang}/film`, `listing&lang=${lang}`, message, { lang, seen }),
    ),
  )
}

function nameFindings(facts: ReadinessFacts, find: Find): Finding[] {
  const at = (lang: string) => [`/listings/${lang}/appName`, `listing&lang=${lang}`] as const
  const found = [
    ...facts.takenNames.map(({ lang, appName }) =>
      find(
        'name.taken',
        'BLOCK',
        ...at(lang),
        'Another app on shelf is called {appName} ({lang}); choose another name.',
        { lang, appName },
      ),
    ),
    ...facts.blockedNames.map(({ lang, appName, word }) =>
      find('name.blocked', 'BLOCK', ...at(lang), 'The name {appName} ({lang}) may not contain "{word}".', {
        lang,
        appName,
        word,
      }),
    ),
  ]
  if (facts.renamesLeft === 0) {
    found.push(
      find(
        'name.renames',
        'BLOCK',
        ...at(facts.defaultLang),
        'The name has changed as often as mainland China allows in a year; keep the one on shelf.',
      ),
    )
  }
  return found
}

function settingFindings(facts: ReadinessFacts, find: Find): Finding[] {
  const found: Finding[] = []
  if (facts.kindMainTag === null) {
    found.push(find('app.category', 'BLOCK', '/app/kindMainTag', 'app', 'Choose a category for the app.'))
  }
  if (facts.countries.length === 0) {
    found.push(find('countries', 'BLOCK', '/countries', 'countries', 'Choose at least one country or region.'))
  }
  if (!isPolicyUrl(facts.privacyPolicyUrl)) {
    found.push(
      find(
        'privacy.url',
        'BLOCK',
        '/privacyPolicyUrl',
        'privacy',
        facts.privacyPolicyUrl
          ? 'The privacy policy address must be an https address of a public host.'
          : 'Give the https address of the privacy policy.',
      ),
    )
  }
  if (facts.releaseMode === 'TIMED' && !facts.isReleaseTimeRight) {
    found.push(
      find(
        'release.time',
        'BLOCK',
        '/onShelfTime',
        'release',
        'A timed release needs a time 10 minutes to 180 days from now.',
      ),
    )
  }
  if (facts.loginRequired && !facts.hasTestAccount) {
    found.push(
      find(
        'review.testAccount',
        'BLOCK',
        '/testAccount',
        'review',
        'Give an account with which reviewers can sign in.',
      ),
    )
  }
  return found
}

const recordalWords = {
  MISSING: 'An app with a network needs its filing (ICP) to go to mainland China.',
  CHECKING: 'The filing of the app is still being checked.',
  MISMATCH: 'The filing of the app does not fit its package; file anew.',
  NOT_FOUND: 'The filing of the app was not found; check its number.',
  EXPIRED: 'The filing of the app counts no more; file anew.',
} as const

function recordalFindings({ recordalGap: gap, appId }: ReadinessFacts, find: Find): Finding[] {
  if (gap === null) return []
  const rule = `recordal.${gap === 'NOT_FOUND' ? 'notFound' : gap.toLowerCase()}`
  return [
    { ...find(rule, 'BLOCK', '/app/recordal', 'recordal', recordalWords[gap]), fixHref: `/apps/${appId}/recordal` },
  ]
}

const qualificationRules = {
  MISSING: ['qualification.missing', 'BLOCK', 'The category {tag} needs an approved qualification in {countries}.'],
  WAITING: ['qualification.waiting', 'BLOCK', 'The qualification for {tag} is still being judged ({countries}).'],
  ENDING: ['qualification.ending', 'WARN', 'The qualification for {tag} ends on {until}; hand in a new one.'],
} as const

function qualificationFindings(facts: ReadinessFacts, find: Find): Finding[] {
  return facts.qualificationGaps.map(({ tagName, countries, state, expireAt }) => {
    const [rule, severity, message] = qualificationRules[state]
    const values = {
      tag: tagName.enUS,
      tagZh: tagName.zhCN,
      tagRu: tagName.ruRU,
      countries: countries.join(', '),
      until: expireAt === null ? '' : new Date(expireAt).toISOString().slice(0, 10),
    }
    const finding = find(rule, severity, '/app/qualifications', 'qualifications', message, values)
    return { ...finding, fixHref: `/apps/${facts.appId}/qualifications` }
  })
}

function translationFindings(facts: ReadinessFacts, find: Find): Finding[] {
  const standard = facts.listings.find(one => one.lang === facts.defaultLang)
  const found: Finding[] = []
  for (const listing of facts.listings) {
    if (listing.lang === facts.defaultLang) continue
    const { lang } = listing
    const absent = (['appName', 'briefInfo', 'appDesc', 'newFeatures'] as const).filter(
      field => !listing[field].trim() && standard?.[field].trim(),
    )
    if (absent.length === 0) continue
    const values = { lang, fields: absent.join(', ') }
    found.push(
      find(
        'translation.missing',
        'WARN',
        `/listings/${lang}`,
        `listing&lang=${lang}`,
        'In {lang} these are empty and will be shown in the default language: {fields}.',
        values,
      ),
    )
  }
  return found
}
