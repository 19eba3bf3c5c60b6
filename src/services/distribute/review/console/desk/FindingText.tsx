import { useTranslation } from 'react-i18next'
import type { EvidenceView } from '../review-calls.ts'
import { languageName } from '../review-words.ts'

const owner = 'distribute/versions'

/** A finding of a version in the words of the service that made it; else the server's own sentence. */
export function FindingText({ finding }: { finding: EvidenceView['findings'][number] }) {
  const { t, i18n } = useTranslation(owner)
  if (!i18n.exists(`findings.${finding.rule}`, { ns: owner })) return finding.message
  const { lang, fields, deviceType } = finding.values
  return t(`findings.${finding.rule}`, {
    ...finding.values,
    ...(lang !== undefined && { lang: languageName(String(lang)) }),
    ...(deviceType !== undefined && { deviceType: t(`devices.${deviceType}`) }),
    ...(fields !== undefined && {
      fields: String(fields)
        .split(', ')
        .map(field => t(`listing.${field}`))
        .join(', '),
    }),
  })
}
