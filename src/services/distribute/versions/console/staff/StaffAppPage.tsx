import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageParam } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { PendingPage } from '../../../../../console/PendingPage.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { usePageTitle } from '../../../../../console/page-title.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { shownZoneIds } from '../../../../../kernel/zones.ts'
import { shelfApi, staffAppsApi } from '../version-calls.ts'
import { nameOf, toneOf } from '../version-words.ts'
import { StaffDialog, type StaffQuestion, versionMoves } from './StaffDialog.tsx'

const readZone = (raw: Record<string, unknown>) => ({ zone: shownZoneIds.find(zone => zone === raw['zone']) })

/** One app with its versions, and what the store may do about them. */
export default function StaffAppPage() {
  const appId = usePageParam('appId')
  const { t } = useTranslation('distribute/versions')
  const [{ zone }] = usePageSearch(readZone)
  const at = zone ? { zone } : {}
  const [question, ask] = useState<StaffQuestion | null>(null)
  const table = useTableState({ id: 'staffVersions' })
  const found = useCall(staffAppsApi.queryApps, { body: { search: appId } }, at)
  const versions = useCall(shelfApi.listVersionsOfApp, { query: { appId, ...table.page } }, { keepBefore: true, ...at })
  const app = found.data?.list.find(one => one.appId === appId)
  usePageTitle(app?.name)
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PendingPage />
  if (!app) return <EmptyState level="h1" title={t('staff.empty')} />
  const isFrozen = app.lifecycle === 'FROZEN'
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={app.name}
        description={app.packageName ?? app.appId}
        status={
          <StatusBadge tone={isFrozen ? 'bad' : 'good'} text={isFrozen ? t('staff.frozen') : t('staff.active')} />
        }
        actions={app.allowedActions.map(action => (
          <Button key={action} data-action={action} onClick={() => ask({ move: action, appId })}>
            {t(`staff.${action}`)}
          </Button>
        ))}
      />
      {app.frozenReason !== null && <Alert type="error">{app.frozenReason}</Alert>}
      <DataTable
        title={t('staff.versions')}
        table={table}
        result={versions}
        rowKey={version => version.versionId}
        rowName={nameOf}
        empty={{ title: t('staff.noVersions') }}
        columns={[
          { id: 'name', header: t('history.version'), isName: true, minWidth: 160, cell: nameOf },
          {
            id: 'state',
            header: t('history.state'),
            minWidth: 160,
            cell: version => <StatusBadge tone={toneOf[version.state]} text={t(`state.${version.state}`)} />,
          },
          { id: 'onShelf', header: t('history.onShelf'), cell: version => <When at={version.onShelfAt} /> },
          { id: 'notice', header: t('staff.notice'), cell: version => version.storeNotice?.notice ?? '–' },
          {
            id: 'actions',
            header: t('bulk.action'),
            minWidth: 200,
            cell: version => (
              <span className="lg-actions">
                {versionMoves
                  .filter(move => version.allowedActions.includes(move))
                  .map(move => (
                    <Button
                      key={move}
                      data-action={move}
                      ariaLabel={`${t(`staff.${move}`)}: ${nameOf(version)}`}
                      onClick={() => ask({ move, versionId: version.versionId })}
                    >
                      {t(`staff.${move}`)}
                    </Button>
                  ))}
              </span>
            ),
          },
        ]}
      />
      {question && <StaffDialog question={question} zone={zone} onClose={() => ask(null)} />}
    </SpaceBetween>
  )
}
