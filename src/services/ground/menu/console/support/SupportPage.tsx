import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { supportStates } from '../../rules.ts'
import { api, type SupportView } from '../menu-calls.ts'
import { useLanguage } from '../shown-language.ts'
import { ApplicationFacts } from './ApplicationFacts.tsx'
import { ApplyForm } from './ApplyForm.tsx'
import { supportTones } from './support-states.ts'

/** What the team asked support for, and how it was answered. */
export default function SupportPage() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const [isAsking, setAsking] = useState(false)
  const [read, setRead] = useState<SupportView | null>(null)
  const table = useTableState<'state'>({ id: 'support', filters: ['state'] })
  const { page, filters } = table
  const result = useCall(
    api.listSupportApplications,
    { query: { ...page, ...(filters.state && { state: filters.state as 'waiting' }) } },
    { keepBefore: true },
  )
  const nameOf = (row: SupportView) => row.title?.[language] ?? row.serviceId
  const apply = (variant: 'primary' | 'normal') => (
    <Can call={api.applyForSupport}>
      <Button variant={variant} data-action="applyForSupport" onClick={() => setAsking(true)}>
        {t('support.apply')}
      </Button>
    </Can>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('support.title')}
        description={t('support.text')}
        actions={
          <Can may="support.contact">
            <Link href={hrefOf('/support/contacts')}>{t('support.toContacts')}</Link>
          </Can>
        }
      />
      <DataTable
        title={t('support.all')}
        table={table}
        result={result}
        rowKey={row => row.applyId}
        rowName={nameOf}
        filters={[
          {
            id: 'state',
            label: t('announcements.state'),
            options: supportStates.map(value => ({ value, label: t(`support.states.${value}`) })),
          },
        ]}
        empty={{ title: t('support.empty'), text: t('support.emptyText'), action: apply('normal') }}
        actions={apply('primary')}
        columns={[
          {
            id: 'service',
            header: t('support.service'),
            isName: true,
            minWidth: 200,
            cell: row => (
              <Button
                variant="inline-link"
                data-action="readSupport"
                ariaLabel={t('support.readOf', { name: nameOf(row) })}
                onClick={() => setRead(row)}
              >
                {nameOf(row)}
              </Button>
            ),
          },
          {
            id: 'state',
            header: t('announcements.state'),
            width: 150,
            cell: row => <StatusBadge tone={supportTones[row.state]} text={t(`support.states.${row.state}`)} />,
          },
          {
            id: 'answer',
            header: t('support.answer'),
            minWidth: 260,
            cell: row => (row.answer === null ? '–' : <span translate="no">{row.answer}</span>),
          },
          { id: 'at', header: t('support.at'), width: 180, cell: row => <When at={row.createdAt} /> },
        ]}
      />
      {isAsking && <ApplyForm onClose={() => setAsking(false)} />}
      {read && (
        <Modal
          visible
          header={nameOf(read)}
          onDismiss={() => setRead(null)}
          footer={
            <Box float="right">
              <Button onClick={() => setRead(null)}>{t('action.close')}</Button>
            </Box>
          }
        >
          <ApplicationFacts row={read} />
        </Modal>
      )}
    </SpaceBetween>
  )
}
