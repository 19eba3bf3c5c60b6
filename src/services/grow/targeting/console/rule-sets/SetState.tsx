import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'

/** Whether a rule set is in force, and whether its draft says something else. */
export function SetState({ set }: { set: { publishedVersion: number; isChanged: boolean } }) {
  const { t } = useTranslation('grow/targeting')
  const { publishedVersion: version, isChanged } = set
  if (version === 0) return <StatusBadge tone="off" text={t('sets.never')} />
  return isChanged ? (
    <StatusBadge tone="caution" text={t('sets.changed', { version })} />
  ) : (
    <StatusBadge tone="good" text={t('sets.published', { version })} />
  )
}
