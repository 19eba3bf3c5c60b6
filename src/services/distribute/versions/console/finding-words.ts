import i18next from 'i18next'
import { hrefOf } from '../../../../console/address.ts'
import type { FindingView } from './version-calls.ts'
import { languageName, ns } from './version-words.ts'

export const sections = ['package', 'release', 'countries', 'review'] as const
export type Section = (typeof sections)[number]

/** The finding in the language on screen, with the names its values stand for; else the server's own sentence. */
export function findingText(finding: FindingView): string {
  if (!i18next.exists(`findings.${finding.rule}`, { ns })) return finding.message
  const { lang, deviceType, fields, tagZh, tagRu } = finding.values
  const tag = { zh: tagZh, ru: tagRu }[i18next.language] ?? finding.values['tag']
  return i18next.t(`findings.${finding.rule}`, {
    ns,
    ...finding.values,
    ...(tag !== undefined && { tag }),
    ...(lang !== undefined && { lang: languageName(String(lang)) }),
    ...(deviceType !== undefined && { deviceType: i18next.t(`devices.${deviceType}`, { ns }) }),
    ...(fields !== undefined && {
      fields: String(fields)
        .split(', ')
        .map(field => i18next.t(`listing.${field}`, { ns }))
        .join(', '),
    }),
  })
}

/** The page, and the part of it, where a finding is put right; the server names it in `fixHref`. */
export function fixAddress(finding: FindingView, place: { appId: string; versionId: string }): string {
  if (finding.fixHref === '/real-name') return hrefOf('/real-name')
  if (finding.rule.startsWith('recordal.')) return hrefOf('/apps/$appId/recordal', { appId: place.appId })
  if (finding.rule.startsWith('qualification.')) return hrefOf('/apps/$appId/qualifications', { appId: place.appId })
  const wanted = new URLSearchParams(finding.fixHref.split('?')[1] ?? '')
  const section = wanted.get('section') ?? ''
  const lang = wanted.get('lang')
  const { appId, versionId } = place
  if (section === 'app') return hrefOf('/apps/$appId', { appId })
  if (section === 'listing') return hrefOf('/apps/$appId/listing', { appId }, { versionId, ...(lang && { lang }) })
  return hrefOf('/apps/$appId/version/$versionId', place, { section: section === 'privacy' ? 'review' : section })
}
