import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { StatusBadge, type Tone } from '../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../console/kit/When.tsx'
import { saveFile } from '../../../../console/save-file.ts'
import { may } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { databaseApi, transferApi } from './database-calls.ts'
import { ExportDialog } from './rows/ExportDialog.tsx'
import { ImportDialog } from './rows/ImportDialog.tsx'

const tones: Record<string, Tone> = {
  queued: 'waiting',
  running: 'running',
  done: 'good',
  failed: 'bad',
  canceled: 'stopped',
}

/** Imports, exports and index builds with their reports. */
export function TransfersTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/cloud-db')
  const found = useCall(databaseApi.listProcesses, { query: { projectId } }, { refetchInterval: 3_000, staleTime: 0 })
  const [shown, setShown] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'import' | 'export' | null>(null)
  const list = found.data?.list ?? []
  return (
    <>
      <Table
        items={list}
        loading={found.isPending}
        loadingText={t('loading')}
        trackBy="processId"
        header={
          <Header
            variant="h2"
            actions={
              may('cloudDb.data') && (
                <div className="lg-actions">
                  <Button onClick={() => setDialog('export')} data-action="cloudDb.export">
                    {t('export.title')}
                  </Button>
                  <Button variant="primary" onClick={() => setDialog('import')} data-action="cloudDb.import">
                    {t('import.title')}
                  </Button>
                </div>
              )
            }
          >
            {t('tabs.transfers')}
          </Header>
        }
        empty={
          found.error ? (
            <ErrorState error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <EmptyState title={t('process.empty')} text={t('process.emptyText')} />
          )
        }
        ariaLabels={{ tableLabel: t('tabs.transfers') }}
        columnDefinitions={[
          { id: 'kind', header: t('process.kind'), isRowHeader: true, cell: one => t(`process.${one.kind}`) },
          { id: 'subject', header: t('process.subject'), cell: one => <span translate="no">{one.subject}</span> },
          {
            id: 'state',
            header: t('process.state'),
            cell: one => (
              <StatusBadge
                tone={tones[one.state] ?? 'info'}
                text={`${t(`jobState.${one.state}`)}${one.state === 'running' ? ` ${one.percent} %` : ''}`}
              />
            ),
          },
          { id: 'at', header: t('process.at'), cell: one => <When at={one.createdAt} /> },
          {
            id: 'report',
            header: t('process.report'),
            cell: one => (
              <Button
                variant="inline-link"
                ariaLabel={`${t('process.open')} ${one.subject}`}
                onClick={() => setShown(one.processId)}
              >
                {t('process.open')}
              </Button>
            ),
          },
        ]}
      />
      {shown !== null && <Report projectId={projectId} processId={shown} onClose={() => setShown(null)} />}
      {dialog === 'import' && <ImportDialog projectId={projectId} onClose={() => setDialog(null)} />}
      {dialog === 'export' && <ExportDialog projectId={projectId} onClose={() => setDialog(null)} />}
    </>
  )
}

function Report({ projectId, processId, onClose }: { projectId: string; processId: string; onClose: () => void }) {
  const { t } = useTranslation('build/cloud-db')
  const found = useCall(
    databaseApi.getProcessPercentage,
    { body: { projectId, processId } },
    { refetchInterval: 3_000 },
  )
  const { data } = found
  return (
    <Modal visible size="large" header={t('process.report')} onDismiss={onClose}>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {data && (
        <SpaceBetween size="m">
          <StatusBadge tone={tones[data.state] ?? 'info'} text={`${t(`jobState.${data.state}`)} ${data.percent} %`} />
          {data.error && <div translate="no">{data.error}</div>}
          {data.kind !== 'INDEX' && (
            <div>
              {data.kind === 'EXPORT'
                ? t('process.exported', { count: data.inserted })
                : t('process.numbers', {
                    inserted: data.inserted,
                    updated: data.updated,
                    errors: data.errorCount,
                  })}
            </div>
          )}
          {data.notes.length > 0 && (
            <div>
              {t('process.leftOut')} <span translate="no">{data.notes.join('; ')}</span>
            </div>
          )}
          {data.objectIds.map((objectId, at) => (
            <Button
              key={objectId}
              iconName="download"
              onClick={() =>
                void saveFile(transferApi.getProcessFile.raw({ query: { projectId, processId, objectId } }), 'rows')
              }
            >
              {t('process.download', { number: at + 1 })}
            </Button>
          ))}
          {data.errors.length > 0 && (
            <Table
              variant="embedded"
              items={data.errors}
              ariaLabels={{ tableLabel: t('process.report') }}
              columnDefinitions={[
                { id: 'row', header: t('process.row'), isRowHeader: true, cell: one => one.row },
                { id: 'code', header: t('process.code'), cell: one => one.code },
                { id: 'message', header: t('process.message'), cell: one => one.message },
              ]}
            />
          )}
        </SpaceBetween>
      )}
    </Modal>
  )
}
