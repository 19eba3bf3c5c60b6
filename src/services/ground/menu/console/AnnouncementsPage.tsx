import './menu.css'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { announcementTones } from './announcement-tones.ts'
import { api, news } from './menu-calls.ts'
import { useLanguage } from './shown-language.ts'

export default function AnnouncementsPage() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const table = useTableState<'state'>({ id: 'announcements', filters: ['state'] })
  const { filters, page } = table
  const result = useCall(
    news.listAnnouncements,
    { query: { ...page, ...(filters.state && { state: filters.state as 'live' }) } },
    { keepBefore: true },
  )
  const config = useCall(api.getInfoCenterConfig, {})
  const update = useAction(api.updateInfoCenterConfig)

  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('announcements.title')}
        description={t('announcements.text')}
        actions={
          config.data && (
            <Toggle
              checked={config.data.showsBanners}
              disabled={update.isRunning}
              onChange={({ detail }) => void update.run({ body: { ...config.data, showsBanners: detail.checked } })}
            >
              {t('announcements.showBanners')}
            </Toggle>
          )
        }
      />
      <DataTable
        title={t('announcements.all')}
        table={table}
        result={result}
        rowKey={row => row.announcementId}
        rowName={row => row.title[language]}
        filters={[
          {
            id: 'state',
            label: t('announcements.state'),
            options: (['live', 'ended'] as const).map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('announcements.empty'), text: t('announcements.emptyText') }}
        columns={[
          {
            id: 'title',
            header: t('announcements.name'),
            isName: true,
            minWidth: 260,
            cell: row => (
              <Link href={hrefOf('/announcements/$announcementId', { announcementId: row.announcementId })}>
                {row.title[language]}
              </Link>
            ),
          },
          {
            id: 'kind',
            header: t('announcements.kind'),
            width: 170,
            cell: row => <StatusBadge tone={announcementTones[row.kind]} text={t(`kinds.${row.kind}`)} />,
          },
          {
            id: 'state',
            header: t('announcements.state'),
            width: 150,
            cell: row => <StatusBadge tone={row.state === 'live' ? 'good' : 'off'} text={t(`states.${row.state}`)} />,
          },
          { id: 'since', header: t('announcements.since'), width: 190, cell: row => <When at={row.startAt} /> },
          { id: 'until', header: t('announcements.until'), width: 190, cell: row => <When at={row.endAt} /> },
        ]}
      />
    </SpaceBetween>
  )
}
