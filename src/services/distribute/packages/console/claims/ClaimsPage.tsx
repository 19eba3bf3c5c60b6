import '../packages.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { type ClaimView, claimCalls } from '../package-calls.ts'
import { ClaimDialog } from './ClaimDialog.tsx'
import { claimTones } from './claim-words.ts'
import { NewClaim } from './NewClaim.tsx'

/** Package names that the team claims, and claims of names that the team holds. */
export default function ClaimsPage() {
  const { t } = useTranslation('distribute/packages')
  const [isNew, setNew] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const table = useTableState({ id: 'claims' })
  const result = useCall(claimCalls.listClaims, { query: { ...table.page } }, { keepBefore: true })
  const open = result.data?.list.find(one => one.claimId === openId)
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('claims.title')} description={t('claims.text')} />
      <DataTable
        title={t('claims.list')}
        table={table}
        result={result}
        rowKey={(row: ClaimView) => row.claimId}
        rowName={row => row.packageName}
        actions={
          <Can call={claimCalls.createClaim}>
            <Button variant="primary" data-action="newClaim" onClick={() => setNew(true)}>
              {t('claims.new')}
            </Button>
          </Can>
        }
        columns={[
          {
            id: 'name',
            header: t('facts.packageName'),
            isName: true,
            minWidth: 220,
            cell: row => (
              <Button variant="inline-link" onClick={() => setOpenId(row.claimId)}>
                {row.packageName}
              </Button>
            ),
          },
          { id: 'side', header: t('claims.side'), width: 180, cell: row => t(`claims.sides.${row.side}`) },
          {
            id: 'state',
            header: t('table.state'),
            width: 200,
            cell: row => <StatusBadge tone={claimTones[row.state]} text={t(`claims.states.${row.state}`)} />,
          },
          { id: 'method', header: t('claims.method'), width: 140, cell: row => t(`claims.methods.${row.method}`) },
          { id: 'created', header: t('claims.created'), width: 155, cell: row => <When at={row.createdAt} /> },
        ]}
        empty={{ title: t('claims.empty'), text: t('claims.emptyText') }}
      />
      {isNew && <NewClaim onClose={() => setNew(false)} onMade={one => setOpenId(one.claimId)} />}
      {open && <ClaimDialog one={open} onClose={() => setOpenId(null)} />}
    </SpaceBetween>
  )
}
