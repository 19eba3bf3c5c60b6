import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { DecisionView } from '../../contract.ts'
import { ruleMethods } from '../../rules.ts'
import { api, type Where } from '../rules-calls.ts'
import { DecisionDialog } from './DecisionDialog.tsx'

interface RequestsTabProps {
  where: Where
  /** What stands in the editor. */
  source: string
  isChanged: boolean
}

const readSearch = (raw: Record<string, unknown>) => ({
  decision: typeof raw['decision'] === 'string' ? raw['decision'] : undefined,
})

/** Requests that were kept, the denied ones first of all; each opens with its trace. */
export function RequestsTab({ where, source, isChanged }: RequestsTabProps) {
  const { t } = useTranslation('build/rules')
  const table = useTableState<'allowed' | 'method'>({ id: 'rules-requests', filters: ['allowed', 'method'] })
  const [{ decision }, change] = usePageSearch(readSearch)
  const { allowed, method } = table.filters
  const query = {
    ...where,
    ...table.page,
    allowed: (allowed ?? 'all') as 'yes' | 'no' | 'all',
    ...(method && { method: method as (typeof ruleMethods)[number] }),
    ...(table.search && { path: table.search }),
  }
  const result = useCall(api.listDecisions, { query }, { keepBefore: true, refetchInterval: 20_000 })
  return (
    <>
      <DataTable<DecisionView, 'allowed' | 'method'>
        title={t('requests.title')}
        table={table}
        result={result}
        rowKey={row => row.decisionId}
        rowName={row => `${row.method} ${row.path}`}
        searchLabel={t('requests.search')}
        filters={[
          {
            id: 'allowed',
            label: t('requests.which'),
            options: [
              { value: 'no', label: t('decided.denied') },
              { value: 'yes', label: t('decided.allowed') },
            ],
          },
          {
            id: 'method',
            label: t('simulator.method'),
            options: ruleMethods.map(value => ({ value, label: value })),
          },
        ]}
        empty={{ title: t('requests.none'), text: t('requests.noneText') }}
        columns={[
          {
            id: 'path',
            header: t('requests.request'),
            isName: true,
            minWidth: 220,
            cell: row => (
              <Link onFollow={() => change({ decision: row.decisionId })}>
                <code translate="no">{`${row.method} ${row.path}`}</code>
              </Link>
            ),
          },
          {
            id: 'decision',
            header: t('requests.decision'),
            width: 120,
            cell: row => (
              <StatusBadge
                tone={row.isAllowed ? 'good' : 'bad'}
                text={row.isAllowed ? t('decided.allowed') : t('decided.denied')}
              />
            ),
          },
          {
            id: 'uid',
            header: t('requests.user'),
            cell: row => (row.uid === null ? t('nobody') : <span translate="no">{row.uid}</span>),
          },
          { id: 'ip', width: 140, header: t('requests.ip'), cell: row => <span translate="no">{row.ip ?? '–'}</span> },
          { id: 'version', width: 100, header: t('requests.version'), cell: row => row.version },
          { id: 'at', header: t('requests.at'), width: 170, cell: row => <When at={row.at} /> },
        ]}
      />
      {decision !== undefined && (
        <DecisionDialog
          where={where}
          decisionId={decision}
          source={isChanged ? source : null}
          onClose={() => change({ decision: undefined })}
        />
      )}
    </>
  )
}
