import { hrefOf } from '../../../../console/address.ts'
import './menu.css'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { board, type SlotView } from './menu-calls.ts'
import { SlotForm } from './SlotForm.tsx'
import { languageTag, useLanguage } from './shown-language.ts'

/** What rotates on the home page, and what came of it. */
export default function BillboardPage() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const [editing, setEditing] = useState<SlotView | 'new' | null>(null)
  const [deleting, setDeleting] = useState<SlotView | null>(null)
  const table = useTableState({ id: 'slots' })
  const result = useCall(board.listSlots, { query: table.page }, { keepBefore: true })
  const remove = useAction(board.deleteSlot, { onDone: () => setDeleting(null) })
  const percent = new Intl.NumberFormat(languageTag(language), { style: 'percent', maximumFractionDigits: 1 })
  const total = (result.data?.list ?? []).reduce((sum, row) => sum + (row.isOn ? row.weight : 0), 0)

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('slots.title')} description={t('slots.text')} />
      <DataTable
        title={t('slots.all')}
        table={table}
        result={result}
        rowKey={row => row.slotId}
        rowName={row => row.title[language]}
        empty={{ title: t('slots.empty'), text: t('slots.emptyText') }}
        actions={
          <Button variant="primary" data-action="createSlot" onClick={() => setEditing('new')}>
            {t('slots.new')}
          </Button>
        }
        columns={[
          {
            id: 'title',
            header: t('announcements.name'),
            isName: true,
            minWidth: 220,
            cell: row => (
              <Link
                href={hrefOf('/operate/billboard')}
                onFollow={event => {
                  event.preventDefault()
                  setEditing(row)
                }}
              >
                {row.title[language]}
              </Link>
            ),
          },
          {
            id: 'state',
            header: t('announcements.state'),
            width: 150,
            cell: row => (
              <StatusBadge tone={row.isOn ? 'good' : 'off'} text={row.isOn ? t('slots.on') : t('slots.off')} />
            ),
          },
          {
            id: 'weight',
            header: t('slots.weight'),
            width: 140,
            cell: row => (row.isOn && total > 0 ? `${row.weight} (${percent.format(row.weight / total)})` : row.weight),
          },
          { id: 'shown', header: t('slots.shown'), width: 110, cell: row => row.shown },
          { id: 'people', header: t('slots.people'), width: 100, cell: row => row.people },
          {
            id: 'clicked',
            header: t('slots.clicked'),
            width: 150,
            cell: row => (row.shown > 0 ? `${row.clicked} (${percent.format(row.clicked / row.shown)})` : row.clicked),
          },
          {
            id: 'actions',
            header: t('write.actions'),
            width: 125,
            cell: row => (
              <Button
                variant="inline-icon"
                iconName="remove"
                ariaLabel={t('slots.deleteOf', { title: row.title[language] })}
                data-action="deleteSlot"
                onClick={() => setDeleting(row)}
              />
            ),
          },
        ]}
      />
      {editing && <SlotForm row={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && (
        <ConfirmByName
          title={t('slots.deleteTitle')}
          name={deleting.title[language]}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onCancel={() => setDeleting(null)}
          onConfirm={() => void remove.run({ params: { slotId: deleting.slotId } })}
        >
          {t('slots.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
