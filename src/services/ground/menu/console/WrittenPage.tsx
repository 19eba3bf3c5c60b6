import { hrefOf } from '../../../../console/address.ts'
import './menu.css'
import Button from '@cloudscape-design/components/button'
import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { announcementStates, isEditable } from '../rules.ts'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import { announcementTones, stateTones } from './announcement-tones.ts'
import { news, type WrittenView } from './menu-calls.ts'
import { useLanguage } from './shown-language.ts'

type Action = WrittenView['allowedActions'][number]

/** Where the operator writes what people are told. */
export default function WrittenPage() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const [editing, setEditing] = useState<WrittenView | 'new' | null>(null)
  const [deleting, setDeleting] = useState<WrittenView | null>(null)
  const table = useTableState<'state'>({ id: 'written', filters: ['state'] })
  const { search, filters, page } = table
  const result = useCall(
    news.listWritten,
    { query: { ...page, search, ...(filters.state && { state: filters.state as WrittenView['state'] }) } },
    { keepBefore: true },
  )
  const act = useAction(news.actOnAnnouncement, { onDone: () => setDeleting(null) })
  const start = (row: WrittenView, action: Action) =>
    action === 'delete'
      ? setDeleting(row)
      : void act.run({ params: { announcementId: row.announcementId }, body: { action, revision: row.revision } })
  const create = (
    <Button variant="primary" data-action="writeAnnouncement" onClick={() => setEditing('new')}>
      {t('write.new')}
    </Button>
  )

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('write.pageTitle')} description={t('write.pageText')} />
      <DataTable
        title={t('announcements.all')}
        table={table}
        result={result}
        rowKey={row => row.announcementId}
        rowName={row => row.title[language]}
        searchLabel={t('write.search')}
        filters={[
          {
            id: 'state',
            label: t('announcements.state'),
            options: announcementStates.map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('announcements.empty'), text: t('write.emptyText') }}
        actions={create}
        columns={[
          {
            id: 'title',
            header: t('announcements.name'),
            isName: true,
            minWidth: 220,
            cell: row =>
              isEditable(row.state) ? (
                <Link
                  href={hrefOf('/operate/announcements')}
                  onFollow={event => {
                    event.preventDefault()
                    setEditing(row)
                  }}
                >
                  {row.title[language]}
                </Link>
              ) : (
                row.title[language]
              ),
          },
          {
            id: 'kind',
            header: t('announcements.kind'),
            width: 150,
            cell: row => <StatusBadge tone={announcementTones[row.kind]} text={t(`kinds.${row.kind}`)} />,
          },
          {
            id: 'state',
            header: t('announcements.state'),
            width: 140,
            cell: row => <StatusBadge tone={stateTones[row.state]} text={t(`states.${row.state}`)} />,
          },
          { id: 'since', header: t('announcements.since'), width: 155, cell: row => <When at={row.startAt} /> },
          { id: 'until', header: t('announcements.until'), width: 155, cell: row => <When at={row.endAt} /> },
          { id: 'dismissals', header: t('write.dismissals'), width: 115, cell: row => row.dismissals },
          {
            id: 'actions',
            header: t('write.actions'),
            width: 125,
            cell: row =>
              row.allowedActions.length > 0 && (
                <ButtonDropdown
                  variant="inline-icon"
                  ariaLabel={t('write.actionsOf', { title: row.title[language] })}
                  expandToViewport
                  loading={act.isRunning}
                  items={row.allowedActions.map(action => ({ id: action, text: t(`actions.${action}`) }))}
                  onItemClick={({ detail }) => start(row, detail.id as Action)}
                />
              ),
          },
        ]}
      />
      {editing && <AnnouncementForm row={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && (
        <ConfirmByName
          title={t('write.deleteTitle')}
          name={deleting.title[language]}
          verb={t('action.delete')}
          isRunning={act.isRunning}
          onCancel={() => setDeleting(null)}
          onConfirm={() =>
            void act.run({
              params: { announcementId: deleting.announcementId },
              body: { action: 'delete', revision: deleting.revision },
            })
          }
        >
          {t('write.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
