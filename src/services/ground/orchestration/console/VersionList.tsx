import Button from '@cloudscape-design/components/button'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { foldedDiffOf } from './folded-diff.ts'
import { pretty, stateTones, type VersionView } from './process-calls.ts'

interface VersionListProps {
  versions: readonly VersionView[]
  isRunning: boolean
  onAct: (version: VersionView, action: VersionView['allowedActions'][number]) => void
}

const marks = { same: ' ', added: '+', removed: '-', folded: '…' }

/** Every version with what differs from the one before, and what can be done with it now. */
export function VersionList({ versions, isRunning, onAct }: VersionListProps) {
  const { t } = useTranslation('ground/orchestration')
  return (
    <ol className="process-versions">
      {versions.map((version, at) => {
        const before = versions[at + 1]
        const lines = foldedDiffOf(before ? pretty(before.definition) : '', pretty(version.definition))
        const changed = lines.filter(line => line.kind === 'added' || line.kind === 'removed')
        return (
          <li key={version.versionId}>
            <div className="process-version">
              <strong>{t('version.number', { number: version.version })}</strong>
              <StatusBadge tone={stateTones[version.state]} text={t(`states.${version.state}`)} />
              <span className="lg-soft">
                {t(`version.${version.origin}`)} · <When at={version.updatedAt} />
              </span>
              <SpaceBetween direction="horizontal" size="xs">
                {version.allowedActions.map(action => (
                  <Button key={action} data-action={action} disabled={isRunning} onClick={() => onAct(version, action)}>
                    {action === 'publish' && version.state === 'retired' ? t('version.again') : t(`actions.${action}`)}
                  </Button>
                ))}
              </SpaceBetween>
            </div>
            {version.note && (
              <p className="process-text" translate="no">
                {version.note}
              </p>
            )}
            {before && (
              <ExpandableSection headerText={t('version.changes', { count: changed.length })}>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
                <section tabIndex={0} className="process-scroll process-code" aria-label={t('version.diff')}>
                  <pre translate="no">
                    {lines.map((line, number) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name
                      <span key={number} className={`process-${line.kind}`}>
                        {marks[line.kind]} {line.text}
                        {'\n'}
                      </span>
                    ))}
                  </pre>
                </section>
              </ExpandableSection>
            )}
          </li>
        )
      })}
    </ol>
  )
}
