import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { CertView } from '../../certs/contract.ts'
import { type CertState, certStates, certTypeNumbers, limits } from '../../rules.ts'
import { certsApi, toneOfState } from '../harmony-calls.ts'
import { TimeLeft } from '../TimeLeft.tsx'
import { Usage } from '../Usage.tsx'
import { CertDialog } from './CertDialog.tsx'
import { NewCert } from './NewCert.tsx'

/** The team's certificates, how many more there can be, and what each is used by. */
export function CertsTab() {
  const { t } = useTranslation('distribute/harmony')
  const [isNew, setNew] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const table = useTableState<'type' | 'state'>({ id: 'harmonyCerts', filters: ['type', 'state'] })
  const { search, filters, page } = table
  const wish = {
    ...(search && { search }),
    ...(filters.type && { certType: Number(filters.type) }),
    ...(filters.state && { state: filters.state as CertState }),
  }
  const result = useCall(certsApi.listCerts, { body: { ...wish, ...page } }, { keepBefore: true })
  const open = result.data?.list.find(one => one.certId === openId)
  const add = (
    <Can call={certsApi.createCert}>
      <Button variant="primary" data-action="createCert" onClick={() => setNew(true)}>
        {t('certs.new')}
      </Button>
    </Can>
  )
  const columns: TableColumn<CertView>[] = [
    {
      id: 'name',
      header: t('name'),
      isName: true,
      minWidth: 180,
      cell: row => (
        <Button variant="inline-link" onClick={() => setOpenId(row.certId)}>
          <span translate="no">{row.certName}</span>
        </Button>
      ),
    },
    { id: 'type', header: t('type'), width: 140, cell: row => t(`certTypes.${row.certType}`) },
    {
      id: 'state',
      header: t('state'),
      width: 140,
      cell: row => <StatusBadge tone={toneOfState[row.state]} text={t(`states.${row.state}`)} />,
    },
    {
      id: 'expires',
      header: t('expires'),
      width: 180,
      cell: row => <TimeLeft at={row.expireTime} isOver={row.state !== 'VALID'} />,
    },
    {
      id: 'used',
      header: t('certs.usedBy'),
      minWidth: 160,
      cell: row => (row.usedByProfiles.length === 0 ? '–' : t('certs.profiles', { count: row.usedByProfiles.length })),
    },
  ]
  const left = result.data?.left ?? []
  return (
    <SpaceBetween size="l">
      <Usage
        label={t('certs.limits')}
        items={left.map(({ certType, count }) => ({
          id: certType,
          label: t(`certTypes.${certType}`),
          used: limits.certsOfType - count,
          limit: limits.certsOfType,
        }))}
      />
      <DataTable
        title={t('tabs.certificates')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.certId}
        rowName={row => row.certName}
        searchLabel={t('certs.search')}
        filters={[
          {
            id: 'type',
            label: t('type'),
            options: certTypeNumbers.map(type => ({ value: String(type), label: t(`certTypes.${type}`) })),
          },
          {
            id: 'state',
            label: t('state'),
            options: certStates.map(state => ({ value: state, label: t(`states.${state}`) })),
          },
        ]}
        empty={{ title: t('certs.empty'), text: t('certs.emptyText'), action: add }}
        actions={add}
      />
      {isNew && <NewCert onClose={() => setNew(false)} />}
      {open && <CertDialog cert={open} onClose={() => setOpenId(null)} />}
    </SpaceBetween>
  )
}
