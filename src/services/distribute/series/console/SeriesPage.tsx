import './series.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { NewSeries } from './NewSeries.tsx'
import { SeriesDialog } from './SeriesDialog.tsx'
import { api, type SeriesView } from './series-calls.ts'

/** Editions of one product that belong together. */
export default function SeriesPage() {
  const { t } = useTranslation('distribute/series')
  const [isNew, setNew] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const table = useTableState({ id: 'series' })
  const result = useCall(api.querySeries, { body: { ...table.page } }, { keepBefore: true })
  const open = result.data?.list.find(one => one.seriesId === openId)
  const add = (
    <Can call={api.createSeries}>
      <Button variant="primary" data-action="createSeries" onClick={() => setNew(true)}>
        {t('new')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('title')} description={t('text')} />
      <DataTable
        title={t('list')}
        table={table}
        result={result}
        rowKey={(row: SeriesView) => row.seriesId}
        rowName={row => row.name}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 180,
            cell: row => (
              <Button variant="inline-link" onClick={() => setOpenId(row.seriesId)}>
                <span translate="no">{row.name}</span>
              </Button>
            ),
          },
          {
            id: 'members',
            header: t('members'),
            minWidth: 260,
            cell: row =>
              row.members.map(member => (
                <div key={member.appId}>
                  <span translate="no">{member.name}</span>{' '}
                  <span className="lg-soft">{t(`types.${member.packageType}`)}</span>
                </div>
              )),
          },
          {
            id: 'mode',
            header: t('mode'),
            minWidth: 200,
            cell: row =>
              row.mode === 'SINGLE' && row.singleIn.length > 0
                ? t('modes.SOME', { count: row.singleIn.length })
                : t(`modes.${row.mode}`),
          },
          { id: 'updated', header: t('updated'), width: 160, cell: row => <When at={row.updatedAt} /> },
        ]}
        empty={{ title: t('empty'), text: t('emptyText') }}
      />
      {isNew && <NewSeries onClose={() => setNew(false)} />}
      {open && <SeriesDialog one={open} onClose={() => setOpenId(null)} />}
    </SpaceBetween>
  )
}
