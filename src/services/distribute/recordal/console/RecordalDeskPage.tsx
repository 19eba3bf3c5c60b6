import './recordal.css'
import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { type ZoneId, zoneIds } from '../../../../kernel/zones.ts'
import { recordalStates } from '../rules.ts'
import { Differences } from './Differences.tsx'
import { FilingFacts } from './FilingFacts.tsx'
import { type DeskRecordalView, desk } from './recordal-calls.ts'
import { tones } from './recordal-words.ts'

const readZone = (raw: Record<string, unknown>): { zone?: ZoneId | undefined } => ({
  zone: zoneIds.find(zone => zone === raw['zone']),
})
const verdictsOf = { CHECKING: ['match', 'mismatch', 'notFound'], MATCH: ['mismatch', 'expire'] } as const
type Verdict = 'match' | 'mismatch' | 'notFound' | 'expire'

/** Filings that somebody has to look up. */
export default function RecordalDeskPage() {
  const { t } = useTranslation('distribute/recordal')
  const [{ zone }] = usePageSearch(readZone)
  const [open, setOpen] = useState<DeskRecordalView | null>(null)
  const table = useTableState<'state'>({ id: 'recordal-desk', filters: ['state'] })
  const state = table.filters.state as (typeof recordalStates)[number] | undefined
  const query = { ...table.page, ...(state && { state }) }
  const result = useCall(desk.listRecordals, { query }, { keepBefore: true, ...(zone && { zone }) })
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('desk.title')} description={t('desk.text')} />
      <DataTable
        title={t('desk.list')}
        table={table}
        result={result}
        rowKey={row => row.appId}
        rowName={row => row.appName}
        columns={[
          {
            id: 'app',
            header: t('desk.app'),
            isName: true,
            minWidth: 180,
            cell: row => (
              <Button variant="inline-link" data-action="openRecordal" onClick={() => setOpen(row)}>
                <span translate="no">{row.appName}</span>
              </Button>
            ),
          },
          {
            id: 'number',
            header: t('number'),
            minWidth: 200,
            cell: row => <span translate="no">{row.recordalNumber ?? '–'}</span>,
          },
          {
            id: 'entity',
            header: t('entity'),
            minWidth: 160,
            cell: row => <span translate="no">{row.registeredEntityName || '–'}</span>,
          },
          {
            id: 'state',
            header: t('desk.state'),
            width: 190,
            cell: row => <StatusBadge tone={tones[row.state]} text={t(`states.${row.state}`)} />,
          },
          { id: 'updated', header: t('desk.filedAt'), width: 160, cell: row => <When at={row.updatedAt} /> },
        ]}
        filters={[
          {
            id: 'state',
            label: t('desk.state'),
            options: recordalStates
              .filter(value => value !== 'NONE')
              .map(value => ({ value, label: t(`states.${value}`) })),
          },
        ]}
        empty={{ title: t('desk.empty'), text: t('desk.emptyText') }}
      />
      {open && <Decision one={open} zone={zone} onClose={() => setOpen(null)} />}
    </SpaceBetween>
  )
}

function Decision({ one, zone, onClose }: { one: DeskRecordalView; zone: ZoneId | undefined; onClose: () => void }) {
  const { t } = useTranslation('distribute/recordal')
  const verdicts: readonly Verdict[] = verdictsOf[one.state as keyof typeof verdictsOf] ?? []
  const [verdict, setVerdict] = useState<Verdict | undefined>(verdicts[0])
  const [note, setNote] = useState('')
  const act = useAction(desk.decideRecordal, { errors: 'form', onDone: onClose })
  const { appId, revision } = one
  const send = () => {
    if (verdict === undefined || revision === null) return
    const body = { appId, verdict, revision, ...(note.trim() && { note: note.trim() }) }
    void act.run({ body }, zone && { zone })
  }
  return (
    <DialogBox
      title={one.appName}
      verb={verdict && t(`verdicts.${verdict}`)}
      {...(verdict && { action: verdict })}
      size="large"
      isRunning={act.isRunning}
      canSubmit={verdict !== undefined}
      refusal={act.error && errorText(act.error)}
      onSubmit={send}
      onClose={onClose}
    >
      <FilingFacts one={one} />
      <Differences differences={one.differences} />
      {verdict !== undefined && (
        <SpaceBetween size="m">
          <FormField label={t('desk.verdict')}>
            <RadioGroup
              value={verdict}
              items={verdicts.map(value => ({ value, label: t(`verdicts.${value}`) }))}
              onChange={({ detail }) => setVerdict(detail.value as Verdict)}
            />
          </FormField>
          <FormField label={t('desk.note')} constraintText={t('desk.noteHint')}>
            <Textarea value={note} rows={2} onChange={({ detail }) => setNote(detail.value)} />
          </FormField>
        </SpaceBetween>
      )}
    </DialogBox>
  )
}
