import './notices.css'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import type { TableColumn } from '../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type Category, categories } from '../rules.ts'
import { NoticeActions } from './NoticeActions.tsx'
import { NoticeLine } from './NoticeLine.tsx'
import { api, inboxZone, type NoticeView } from './notice-calls.ts'

export default function InboxPage() {
  const { t, i18n } = useTranslation('ground/notices')
  const table = useTableState<'category' | 'show'>({ id: 'notices', filters: ['category', 'show'] })
  const { filters, page } = table
  const category = filters.category as Category | undefined
  const query = { ...page, ...(category && { category }), ...(filters.show === 'unread' && { unread: true }) }
  const result = useCall(api.listNotices, { query }, { ...inboxZone(), keepBefore: true, refetchInterval: 60_000 })
  const readAll = useAction(api.markAllRead)
  const newest = result.data?.list[0]?.noticeId
  const isUnread = result.data?.list.some(notice => notice.readAt === null)
  const columns: TableColumn<NoticeView>[] = [
    {
      id: 'title',
      header: t('inbox.notice'),
      isName: true,
      minWidth: 280,
      cell: notice => <NoticeLine notice={notice} />,
    },
    { id: 'category', header: t('inbox.category'), width: 160, cell: notice => t(`categories.${notice.category}`) },
    {
      id: 'when',
      header: t('inbox.when'),
      width: 180,
      cell: notice => <When at={notice.createdAt} show="relative" />,
    },
    { id: 'actions', header: t('inbox.actions'), width: 130, cell: notice => <NoticeActions notice={notice} /> },
  ]
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('inbox.title')}
        description={t('inbox.text')}
        actions={
          <Button href={hrefOf('/notices/settings')} data-action="settings">
            {t('settings.title')}
          </Button>
        }
      />
      <DataTable
        title={t('inbox.all')}
        table={table}
        result={result}
        columns={columns}
        rowKey={notice => notice.noticeId}
        rowName={notice => notice.title[i18n.resolvedLanguage as 'en']}
        filters={[
          {
            id: 'category',
            label: t('inbox.category'),
            options: categories.map(one => ({ value: one, label: t(`categories.${one}`) })),
          },
          { id: 'show', label: t('inbox.show'), options: [{ value: 'unread', label: t('inbox.unread') }] },
        ]}
        empty={{ title: t('inbox.empty'), text: t('inbox.emptyText') }}
        actions={
          <Button
            data-action="read-all"
            disabled={!isUnread}
            loading={readAll.isRunning}
            onClick={() =>
              void readAll.run(
                { body: { ...(category && { category }), ...(newest && !page.cursor && { upTo: newest }) } },
                inboxZone(),
              )
            }
          >
            {t('inbox.readAll')}
          </Button>
        }
      />
    </SpaceBetween>
  )
}
