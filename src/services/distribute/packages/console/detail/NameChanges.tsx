import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'

interface NameChangesProps {
  title: string
  changes: { added: readonly string[]; removed: readonly string[] }
  /** For names that are words of ours; left out, they are data. */
  wordOf?: (name: string) => string
}

/** Names that come and go; nothing where nothing changes. */
export function NameChanges({ title, changes, wordOf }: NameChangesProps) {
  const { t } = useTranslation('distribute/packages')
  if (changes.added.length + changes.removed.length === 0) return null
  const shown = (name: string) => (wordOf ? <span>{wordOf(name)}</span> : <span translate="no">{name}</span>)
  return (
    <section>
      <h3>{title}</h3>
      <ul className="packages-changes">
        {changes.added.map(name => (
          <li key={name}>
            {shown(name)}
            <StatusBadge tone="info" text={t('compare.added')} />
          </li>
        ))}
        {changes.removed.map(name => (
          <li key={name}>
            {shown(name)}
            <StatusBadge tone="stopped" text={t('compare.removed')} />
          </li>
        ))}
      </ul>
    </section>
  )
}
