import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { type CheckState, checkStates } from '../rules.ts'
import { api, toneOfCheck } from './check-calls.ts'
import { NewCheck } from './NewCheck.tsx'

/** What was found in packages before the store looked at them. */
export default function ChecksPage() {
  const { t } = useTranslation('distribute/app-check')
  const table = useTableState<'state' | 'appId'>({ id: 'checks', filters: ['state', 'appId'] })
  const { state, appId } = table.filters
  const [isNew, setNew] = useState(false)
  const result = useCall(
    api.listChecks,
    { query: { ...table.page, ...(state && { state: state as CheckState }), ...(appId && { appId }) } },
    { keepBefore: true, refetchInterval: 5_000 },
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('title')}
        description={t('text')}
        actions={
          <Can call={api.createCheck}>
            <Button data-action="new-check" variant="primary" onClick={() => setNew(true)}>
              {t('new.verb')}
            </Button>
          </Can>
        }
      />
      <DataTable
        title={t('title')}
        table={table}
        result={result}
        rowKey={row => row.checkId}
        rowName={row => `${row.appName} ${row.versionName ?? ''}`}
        filters={[
          {
            id: 'state',
            label: t('state'),
            options: checkStates.map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('empty'), text: t('emptyText') }}
        columns={[
          {
            id: 'app',
            header: t('app'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <>
                <Link href={hrefOf('/checks/$checkId', { checkId: row.checkId })}>
                  <span translate="no">{row.appName}</span>
                </Link>
                <div className="lg-soft" translate="no">
                  {row.packageName ?? row.fileName}
                </div>
              </>
            ),
          },
          {
            id: 'version',
            header: t('version'),
            minWidth: 120,
            cell: row => `${row.versionName ?? '–'} (${row.versionCode ?? '–'})`,
          },
          {
            id: 'state',
            header: t('state'),
            minWidth: 150,
            cell: row => (
              <StatusBadge
                tone={toneOfCheck[row.state]}
                text={row.state === 'RUNNING' ? t('runs', { percent: row.percent }) : t(`states.${row.state}`)}
              />
            ),
          },
          { id: 'block', header: t('results.BLOCK'), cell: row => row.counts.BLOCK },
          { id: 'warn', header: t('results.WARN'), cell: row => row.counts.WARN },
          { id: 'created', header: t('created'), minWidth: 150, cell: row => <When at={row.createdAt} /> },
        ]}
      />
      {isNew && <NewCheck onClose={() => setNew(false)} />}
    </SpaceBetween>
  )
}
