import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf, useGo } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type DeveloperKind, type DeveloperState, developerCycle, developerKinds } from '../../rules.ts'
import { developerApi } from '../agreement-calls.ts'
import { useWords } from '../words.ts'
import { stateTones } from './states.ts'

/** The team's own agreements with its users, version by version. */
export function OwnAgreements() {
  const { t } = useTranslation('ground/agreements')
  const words = useWords()
  const go = useGo()
  const table = useTableState<'state' | 'kind'>({ id: 'own-agreements', filters: ['state', 'kind'] })
  const { search, filters, page } = table
  const result = useCall(
    developerApi.listAgreements,
    {
      body: {
        ...page,
        search,
        ...(filters.state && { state: filters.state as DeveloperState }),
        ...(filters.kind && { kind: filters.kind as DeveloperKind }),
      },
    },
    { keepBefore: true },
  )
  const create = (
    <Can call={developerApi.createAgreement}>
      <Button variant="primary" data-action="createAgreement" onClick={() => go('/team/new-agreement')}>
        {t('own.new')}
      </Button>
    </Can>
  )
  return (
    <DataTable
      title={t('own.title')}
      table={table}
      result={result}
      rowKey={row => row.agreementId}
      rowName={row => row.title}
      searchLabel={t('own.search')}
      filters={[
        {
          id: 'state',
          label: t('history.state'),
          options: developerCycle.states.map(value => ({ value, label: t(`states.${value}`) })),
        },
        {
          id: 'kind',
          label: t('own.kind'),
          options: developerKinds.map(value => ({ value, label: t(`kinds.${value}`) })),
        },
      ]}
      empty={{ title: t('own.empty'), text: t('own.emptyText') }}
      actions={create}
      columns={[
        {
          id: 'title',
          header: t('own.name'),
          isName: true,
          minWidth: 180,
          cell: row => (
            <Link href={hrefOf('/team/agreements/$agreementId', { agreementId: row.agreementId })}>
              <span translate="no">{row.title}</span>
            </Link>
          ),
        },
        { id: 'kind', header: t('own.kind'), width: 170, cell: row => t(`kinds.${row.kind}`) },
        {
          id: 'state',
          header: t('history.state'),
          width: 150,
          cell: row => <StatusBadge tone={stateTones[row.state]} text={t(`states.${row.state}`)} />,
        },
        { id: 'country', header: t('country.label'), width: 170, cell: row => words.country(row.country) },
        { id: 'language', header: t('text.language'), width: 150, cell: row => words.tongue(row.language) },
        { id: 'version', header: t('history.version'), width: 100, cell: row => row.version },
        { id: 'updatedAt', header: t('own.updated'), width: 155, cell: row => <When at={row.updatedAt} /> },
      ]}
    />
  )
}
