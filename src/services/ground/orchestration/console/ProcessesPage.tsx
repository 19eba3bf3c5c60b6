import './processes.css'
import Badge from '@cloudscape-design/components/badge'
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
import { processName } from '../rules.ts'
import { NewProcess } from './NewProcess.tsx'
import { desk, stateTones } from './process-calls.ts'

/** All processes, and where they are used. */
export default function ProcessesPage() {
  const { t } = useTranslation('ground/orchestration')
  const [isMaking, setMaking] = useState(false)
  const table = useTableState<'state'>({ id: 'processes', filters: ['state'] })
  const { search, filters, page } = table
  const query = {
    ...page,
    search,
    ...(filters.state && { state: filters.state as 'draft' }),
  }
  const result = useCall(desk.listProcesses, { query }, { keepBefore: true })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('list.title')} description={t('list.text')} />
      <DataTable
        title={t('list.all')}
        table={table}
        result={result}
        rowKey={processName}
        rowName={processName}
        searchLabel={t('list.search')}
        filters={[
          {
            id: 'state',
            label: t('list.state'),
            options: (['active', 'draft', 'retired'] as const).map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('list.empty'), text: t('list.emptyText') }}
        actions={
          <Can call={desk.saveDraft}>
            <Button variant="primary" data-action="newProcess" onClick={() => setMaking(true)}>
              {t('list.new')}
            </Button>
          </Can>
        }
        columns={[
          {
            id: 'name',
            header: t('list.name'),
            isName: true,
            minWidth: 270,
            cell: row => (
              <>
                <Link
                  href={hrefOf('/operate/processes/$definitionId/$processId', {
                    definitionId: row.definitionId,
                    processId: row.processId,
                  })}
                >
                  <code className="process-line">{processName(row)}</code>
                </Link>
                <div className="lg-soft process-title" translate="no">
                  {row.title}
                </div>
              </>
            ),
          },
          {
            id: 'state',
            header: t('list.state'),
            width: 130,
            cell: row => (
              <SpaceBetween size="xxs">
                <StatusBadge tone={stateTones[row.state]} text={t(`states.${row.state}`)} />
                {row.hasDraft && row.state !== 'draft' && <Badge color="blue">{t('list.hasDraft')}</Badge>}
              </SpaceBetween>
            ),
          },
          { id: 'version', header: t('list.version'), width: 105, cell: row => row.version },
          {
            id: 'used',
            header: t('list.used'),
            minWidth: 250,
            cell: row => {
              const names = row.sameAs === null ? row.usedBy : [row.sameAs]
              if (names.length === 0) return '–'
              return (
                <>
                  {row.sameAs !== null && <span className="lg-soft">{t('list.sameAs')} </span>}
                  {names.map(name => (
                    <code key={name} className="process-line">
                      {name}
                    </code>
                  ))}
                </>
              )
            },
          },
          {
            id: 'updated',
            header: t('list.changed'),
            width: 150,
            cell: row => <When at={row.updatedAt} show="relative" />,
          },
        ]}
      />
      {isMaking && <NewProcess onClose={() => setMaking(false)} />}
    </SpaceBetween>
  )
}
