import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { VersionView } from '../../releases/contract.ts'
import { releasesApi, type TabProps, type Where } from '../config-calls.ts'
import { DifferenceList } from '../DifferenceList.tsx'

/** What was published, what each changed, and the way back. */
export function VersionsTab({ where, head }: TabProps) {
  const { t } = useTranslation('grow/remote-config')
  const [cursors, setCursors] = useState<string[]>([])
  const cursor = cursors.at(-1)
  const query = { ...where, ...(cursor && { cursor }) }
  const found = useCall(releasesApi.listReleases, { query }, { keepBefore: true })
  const [shown, setShown] = useState<number | null>(null)
  const [back, setBack] = useState<number | null>(null)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  const { list, nextCursor } = found.data
  if (list.length === 0 && cursors.length === 0)
    return <EmptyState title={t('versions.empty')} text={t('versions.emptyText')} level="h2" />
  return (
    <SpaceBetween size="m">
      <ul className="rcs-versions">
        {list.map(one => (
          <li key={one.version}>
            <div className="rcs-version">
              <Facts of={one} />
              <div className="lg-actions">
                <Button
                  ariaExpanded={shown === one.version}
                  data-action="compareReleases"
                  onClick={() => setShown(shown === one.version ? null : one.version)}
                >
                  {t('versions.compare')}
                </Button>
                {!one.isInForce && (
                  <Can call={releasesApi.rollbackRelease}>
                    <Button data-action="rollbackRelease" onClick={() => setBack(one.version)}>
                      {t('versions.back')}
                    </Button>
                  </Can>
                )}
              </div>
            </div>
            {shown === one.version && <Compared where={where} version={one.version} />}
          </li>
        ))}
      </ul>
      {(cursors.length > 0 || nextCursor !== null) && (
        <div className="lg-actions">
          <Button disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('versions.newer')}
          </Button>
          <Button disabled={nextCursor === null} onClick={() => nextCursor && setCursors([...cursors, nextCursor])}>
            {t('versions.older')}
          </Button>
        </div>
      )}
      {back !== null && <BackDialog where={where} etag={head.etag} version={back} onClose={() => setBack(null)} />}
    </SpaceBetween>
  )
}

function Facts({ of }: { of: VersionView }) {
  const { t } = useTranslation('grow/remote-config')
  const { added, changed, removed } = of
  return (
    <div>
      <strong>{t('versions.name', { version: of.version })}</strong>{' '}
      {of.isInForce && <StatusBadge tone="good" text={t('versions.current')} />}
      <div className="lg-soft">
        <When at={of.publishedAt} show="both" /> · {t(`origins.${of.origin}`, { version: of.rollbackSource ?? 0 })}
      </div>
      <div className="lg-soft">{t('versions.counts', { added, changed, removed })}</div>
      {of.description !== '' && <Box>{of.description}</Box>}
    </div>
  )
}

function Compared({ where, version }: { where: Where; version: number }) {
  const { t } = useTranslation('grow/remote-config')
  const params = { version: version - 1, other: version }
  const found = useCall(releasesApi.compareReleases, { params, query: { ...where, pageSize: 100 } })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <StatusIndicator type="loading">{t('loading')}</StatusIndicator>
  return <DifferenceList list={found.data.list} total={found.data.total} />
}

interface BackProps {
  where: Where
  etag: string
  version: number
  onClose: () => void
}

function BackDialog({ where, etag, version, onClose }: BackProps) {
  const { t } = useTranslation('grow/remote-config')
  const back = useAction(releasesApi.rollbackRelease, {
    errors: 'form',
    onDone: made => {
      notify({ tone: 'success', text: t('publish.done', { version: made.version }) })
      onClose()
    },
  })
  return (
    <DialogBox
      title={t('versions.backTitle', { version })}
      verb={t('versions.back')}
      action="rollbackRelease"
      isRunning={back.isRunning}
      refusal={back.error ? errorText(back.error) : null}
      onClose={onClose}
      onSubmit={() => void back.run({ params: { version }, body: where }, { revision: etag })}
    >
      {t('versions.backText')}
    </DialogBox>
  )
}
