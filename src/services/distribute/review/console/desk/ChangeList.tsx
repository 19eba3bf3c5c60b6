import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'

interface ChangeListProps {
  now: readonly string[]
  change: { added: string[]; removed: string[] } | null
}

/** Names that stand there now, those that are new first, then those that are gone. */
export function ChangeList({ now, change }: ChangeListProps) {
  const { t } = useTranslation('distribute/review')
  const added = change?.added ?? []
  const removed = change?.removed ?? []
  if (now.length === 0 && removed.length === 0) return <span className="lg-soft">{t('change.none')}</span>
  return (
    <ul className="review-list">
      {added.map(name => (
        <li key={name} data-change="added">
          <strong>{name}</strong> <StatusBadge tone="caution" text={t('change.added')} />
        </li>
      ))}
      {now
        .filter(name => !added.includes(name))
        .map(name => (
          <li key={name}>{name}</li>
        ))}
      {removed.map(name => (
        <li key={name} data-change="removed">
          <s>{name}</s> <StatusBadge tone="stopped" text={t('change.removed')} />
        </li>
      ))}
    </ul>
  )
}
