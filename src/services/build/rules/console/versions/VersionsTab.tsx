import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { RulesView, VersionView } from '../../contract.ts'
import { limits } from '../../rules.ts'
import { api, inForceNotice, type Where } from '../rules-calls.ts'
import { VersionDiff } from './VersionDiff.tsx'

interface VersionsTabProps {
  where: Where
  rules: RulesView
  /** Puts an older text into the editor. */
  onTake: (source: string) => void
}

/** The kept versions, what is different in them, and a way back. */
export function VersionsTab({ where, rules, onTake }: VersionsTabProps) {
  const { t } = useTranslation('build/rules')
  const versions = useCall(api.listRulesVersions, { query: where })
  const [shown, setShown] = useState<number | null>(null)
  const [isTurningOff, setTurningOff] = useState(false)
  const [leaving, setLeaving] = useState<VersionView | null>(null)
  const remove = useAction(api.deleteRulesVersion, { onDone: () => setLeaving(null) })
  const off = useAction(api.turnRulesOff, {
    onDone: () => {
      setTurningOff(false)
      notify({ id: inForceNotice, tone: 'success', text: t('versions.offDone') })
    },
  })
  if (versions.error) return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { list } = versions.data
  if (list.length === 0) return <EmptyState title={t('versions.none')} text={t('versions.noneText')} level="h2" />
  return (
    <SpaceBetween size="m">
      <div className="rules-versions-head">
        <span>{t('versions.count', { count: list.length, most: limits.keptVersions })}</span>
        <Can call={api.turnRulesOff}>
          <Button data-action="turnRulesOff" onClick={() => setTurningOff(true)}>
            {t('versions.off')}
          </Button>
        </Can>
      </div>
      <ul className="rules-versions">
        {list.map(one => (
          <li key={one.version}>
            <div className="rules-version">
              <div>
                <strong>{t('versions.name', { version: one.version })}</strong>
                {one.isPublished && <StatusBadge tone="good" text={t('versions.current')} />}
                <div className="lg-soft">
                  <When at={one.publishedAt} show="both" />
                </div>
                {one.note !== '' && <div translate="no">{one.note}</div>}
              </div>
              <div className="rules-buttons">
                <Button
                  ariaExpanded={shown === one.version}
                  onClick={() => setShown(shown === one.version ? null : one.version)}
                >
                  {one.isPublished ? t('versions.show') : t('versions.compare')}
                </Button>
                {!one.isPublished && (
                  <>
                    <Can call={api.saveDraft}>
                      <Button data-action="restoreVersion" onClick={() => onTake(one.source)}>
                        {t('versions.take')}
                      </Button>
                    </Can>
                    <Can call={api.deleteRulesVersion}>
                      <Button data-action="deleteVersion" onClick={() => setLeaving(one)}>
                        {t('versions.delete')}
                      </Button>
                    </Can>
                  </>
                )}
              </div>
            </div>
            {shown === one.version && <Shown one={one} current={rules.source} />}
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmByName
          title={t('versions.delete')}
          name={t('versions.name', { version: leaving.version })}
          verb={t('versions.delete')}
          isRunning={remove.isRunning}
          onCancel={() => setLeaving(null)}
          onConfirm={() => void remove.run({ params: { version: String(leaving.version) }, query: where })}
        >
          {t('versions.deleteText')}
        </ConfirmByName>
      )}
      {isTurningOff && (
        <ConfirmByName
          title={t('versions.off')}
          name={where.service}
          verb={t('versions.off')}
          isRunning={off.isRunning}
          onCancel={() => setTurningOff(false)}
          onConfirm={() => void off.run({ query: { ...where, confirm: where.service } })}
        >
          {t(`versions.offText.${where.service}`)}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}

function Shown({ one, current }: { one: VersionView; current: string }) {
  const { t } = useTranslation('build/rules')
  const label = t('versions.name', { version: one.version })
  return <VersionDiff label={label} before={one.source} after={current} isPlain={one.isPublished} />
}
