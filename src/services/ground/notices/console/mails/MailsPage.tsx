import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { api, type MailView } from '../notice-calls.ts'

export default function MailsPage() {
  const { t } = useTranslation('ground/notices')
  const table = useTableState({ id: 'mails' })
  const result = useCall(api.listMails, { query: table.page }, { keepBefore: true, refetchInterval: 10_000 })
  const columns: TableColumn<MailView>[] = [
    {
      id: 'subject',
      header: t('mails.subject'),
      isName: true,
      minWidth: 260,
      cell: mail => <Link href={hrefOf('/mails/$mailId', { mailId: mail.mailId })}>{mail.subject}</Link>,
    },
    { id: 'to', header: t('mails.to'), minWidth: 200, cell: mail => mail.to },
    { id: 'at', header: t('mails.at'), width: 190, cell: mail => <When at={mail.sentAt} /> },
  ]
  // Where mails really go out there is nothing to show, which is no failure.
  const why = result.error?.status === 422 ? errorText(result.error) : null
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('mails.title')} description={t('mails.text')} />
      {why ? (
        <EmptyState title={t('mails.none')} text={why} />
      ) : (
        <DataTable
          title={t('mails.all')}
          table={table}
          result={result}
          columns={columns}
          rowKey={mail => mail.mailId}
          rowName={mail => mail.subject}
          empty={{ title: t('mails.empty'), text: t('mails.emptyText') }}
        />
      )}
    </SpaceBetween>
  )
}
