import './gateway.css'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { client } from '../../../../console/client.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { Answer } from '../../../../kernel/contract.ts'
import { gateway } from '../contract.ts'
import { TryNamed } from './TryNamed.tsx'

const api = client(gateway)
type NamedApi = Answer<typeof gateway.calls.listNamedApis>['list'][number]

/** What can be called by name, where it goes, and a place to try it. */
export default function NamedApisPage() {
  const { t } = useTranslation('ground/generic-gateway')
  const [tried, setTried] = useState<NamedApi | null>(null)
  const table = useTableState<'zone'>({ id: 'named-apis', filters: ['zone'] })
  const { search, filters, page } = table
  const query = { ...page, search, ...(filters.zone && { zonePolicy: filters.zone as 'china' }) }
  const result = useCall(api.listNamedApis, { query }, { keepBefore: true })
  const reference = (row: NamedApi) =>
    hrefOf('/api-reference', {}, { service: row.service, call: `${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}` })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('list.title')} description={t('list.text')} />
      <DataTable
        title={t('list.all')}
        table={table}
        result={result}
        rowKey={row => row.apiName}
        rowName={row => row.apiName}
        searchLabel={t('list.search')}
        filters={[
          {
            id: 'zone',
            label: t('list.zone'),
            options: (['china', 'current'] as const).map(value => ({ value, label: t(`zones.${value}`) })),
          },
        ]}
        empty={{ title: t('list.empty') }}
        columns={[
          {
            id: 'name',
            header: t('list.name'),
            isName: true,
            minWidth: 260,
            cell: row => (
              <>
                <code>{row.apiName}</code>
                <div className="lg-soft gateway-summary" translate="no">
                  {row.summary}
                </div>
              </>
            ),
          },
          {
            id: 'call',
            header: t('list.call'),
            minWidth: 250,
            cell: row => (
              <Link href={reference(row)}>
                <code className="gateway-path">
                  {row.method} {row.path}
                </code>
              </Link>
            ),
          },
          { id: 'zone', header: t('list.zone'), width: 120, cell: row => t(`zones.${row.zonePolicy}`) },
          {
            id: 'may',
            header: t('list.may'),
            width: 145,
            cell: row =>
              row.may === 'none' ? (
                '–'
              ) : (
                <code className="gateway-path" translate="no">
                  {row.may}
                </code>
              ),
          },
          {
            id: 'limits',
            header: t('list.limits'),
            width: 150,
            cell: row => (
              <span className="gateway-path">
                {t('list.limit', { calls: row.callsPerMinute, seconds: row.timeoutMs / 1000 })}
              </span>
            ),
          },
          {
            id: 'try',
            header: t('list.actions'),
            width: 100,
            cell: row => (
              <Button
                variant="inline-link"
                data-action="tryNamed"
                ariaLabel={t('try.of', { name: row.apiName })}
                onClick={() => setTried(row)}
              >
                {t('try.open')}
              </Button>
            ),
          },
        ]}
      />
      {tried && <TryNamed key={tried.apiName} api={tried} onClose={() => setTried(null)} />}
    </SpaceBetween>
  )
}
