import { useTranslation } from 'react-i18next'
import type { EvidenceView } from '../review-calls.ts'

type Finding = NonNullable<EvidenceView['package']>['findings'][number]
const owner = 'distribute/packages'

/** A finding of a package in the words of the service that made it; those that name a cause say it in its own words. */
export function PackageFindingText({ finding }: { finding: Finding }) {
  const { t, i18n } = useTranslation(owner)
  const { code, params, detail } = finding
  if ('reason' in params || !i18n.exists(`findings.${code}`, { ns: owner })) return detail
  return t(`findings.${code}`, { ...params })
}
