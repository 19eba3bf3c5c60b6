import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { client } from '../../../../../console/client.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { realNameCalls } from '../../real-names/contract.ts'
import { realState } from '../../real-names/rules.ts'
import { realStateTone } from '../profile/real-state.ts'
import type { CaseView } from './staff-calls.ts'

const api = client(realNameCalls)
const shownStates = Object.values(realState).filter(state => state !== realState.none)

export default function RealNamesPage() {
  const { t } = useTranslation('ground/session')
  const table = useTableState<'state'>({ id: 'real-names', filters: ['state'] })
  const { search, filters, page } = table
  const result = useCall(
    api.listRealNames,
    { query: { ...page, search, ...(filters.state && { state: Number(filters.state) }) } },
    { keepBefore: true },
  )
  const columns: TableColumn<CaseView>[] = [
    {
      id: 'name',
      header: t('profile.name'),
      isName: true,
      minWidth: 200,
      cell: row => (
        <span>
          <Link href={hrefOf('/manage/real-names/$accountId', { accountId: row.accountId })}>{row.name}</Link>
          <br />
          <span className="lg-soft">{row.loginName}</span>
        </span>
      ),
    },
    { id: 'kind', header: t('realName.kind'), width: 150, cell: row => t(`realName.kinds.${row.kind}`) },
    {
      id: 'state',
      header: t('realNames.state'),
      width: 190,
      cell: row => <StatusBadge tone={realStateTone[row.state] ?? 'off'} text={t(`realName.states.${row.state}`)} />,
    },
    { id: 'submitted', header: t('realName.submittedAt'), width: 190, cell: row => <When at={row.submittedAt} /> },
    { id: 'expires', header: t('realName.expiresAt'), width: 190, cell: row => <When at={row.expiresAt} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('realNames.title')} description={t('realNames.text')} />
      <DataTable
        title={t(filters.state ? 'realNames.filtered' : 'realNames.waiting')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.accountId}
        rowName={row => row.name}
        searchLabel={t('realNames.search')}
        filters={[
          {
            id: 'state',
            label: t('realNames.state'),
            options: shownStates.map(one => ({ value: String(one), label: t(`realName.states.${one}`) })),
          },
        ]}
        empty={{ title: t('realNames.none'), text: t('realNames.noneText') }}
      />
    </SpaceBetween>
  )
}
