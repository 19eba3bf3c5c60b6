import Button from '@cloudscape-design/components/button'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { shownLanguage } from '../../../../../console/shown.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { keptKinds } from '../../rules.ts'
import { deskApi, type RowView } from '../lifecycle-calls.ts'
import { KeptForm } from './KeptForm.tsx'

const readKind = (raw: Record<string, unknown>) => ({
  kind: keptKinds.find(kind => kind === raw['kind']) ?? ('VANTEST' as const),
  page: undefined as string | undefined,
  cursor: undefined as string | undefined,
})

/** What staff keep for developers, kind by kind. */
export default function KeptPage() {
  const { t } = useTranslation('distribute/lifecycle')
  const [{ kind }, change] = usePageSearch(readKind)
  const [edited, setEdited] = useState<RowView | 'new' | null>(null)
  const [doomed, setDoomed] = useState<RowView | null>(null)
  const table = useTableState({ id: 'kept' })
  const result = useCall(deskApi.listRows, { query: { ...table.page, kind } }, { keepBefore: true })
  const remove = useAction(deskApi.deleteRow, { onDone: () => setDoomed(null) })
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={t('kept.title')}
        description={t('kept.text')}
        actions={
          <Button data-action="new-row" variant="primary" onClick={() => setEdited('new')}>
            {t('kept.new')}
          </Button>
        }
      />
      <SegmentedControl
        label={t('kept.title')}
        selectedId={kind}
        options={keptKinds.map(id => ({ id, text: t(`kept.kinds.${id}`) }))}
        onChange={({ detail }) =>
          change({ kind: detail.selectedId as typeof kind, page: undefined, cursor: undefined })
        }
      />
      <DataTable
        title={t(`kept.kinds.${kind}`)}
        table={table}
        result={result}
        rowKey={row => row.rowId}
        rowName={row => row.titles[shownLanguage()]}
        empty={{ title: t('kept.empty'), text: t('kept.emptyText') }}
        columns={[
          {
            id: 'title',
            header: t('kept.rowTitle'),
            isName: true,
            minWidth: 240,
            cell: row => (
              <>
                <Button variant="inline-link" onClick={() => setEdited(row)}>
                  {row.titles[shownLanguage()]}
                </Button>
                <div className="lg-soft">{row.texts[shownLanguage()]}</div>
              </>
            ),
          },
          {
            id: 'shown',
            header: t('kept.state'),
            minWidth: 110,
            cell: row => (
              <StatusBadge
                tone={row.isShown ? 'good' : 'off'}
                text={row.isShown ? t('kept.shown') : t('kept.hidden')}
              />
            ),
          },
          { id: 'place', header: t('kept.place'), cell: row => row.place },
          { id: 'at', header: t('kept.changed'), minWidth: 150, cell: row => <When at={row.updatedAt} /> },
          {
            id: 'delete',
            header: t('kept.actions'),
            minWidth: 110,
            cell: row => (
              <Button data-action="delete-row" onClick={() => setDoomed(row)}>
                {t('kept.delete')}
              </Button>
            ),
          },
        ]}
      />
      {edited && <KeptForm kind={kind} row={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {doomed && (
        <DialogBox
          title={t('kept.deleteAsk', { title: doomed.titles[shownLanguage()] })}
          verb={t('kept.delete')}
          action="delete-row"
          isRunning={remove.isRunning}
          onClose={() => setDoomed(null)}
          onSubmit={() => void remove.run({ query: { rowId: doomed.rowId } })}
        >
          {t('kept.deleteText')}
        </DialogBox>
      )}
    </SpaceBetween>
  )
}
