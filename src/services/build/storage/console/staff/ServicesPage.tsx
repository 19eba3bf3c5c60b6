import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { client } from '../../../../../console/client.ts'
import { errorText } from '../../../../../console/error-text.ts'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { teamZone } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import { shownZoneIds, type ZoneId } from '../../../../../kernel/zones.ts'
import { storageDesk } from '../../desk/contract.ts'
import { type Level, levels } from '../../rules.ts'

const api = client(storageDesk)
type Row = Answer<(typeof storageDesk.calls)['listServices']>['list'][number]
const tones = { FREE: 'off', PAID: 'good', SUSPENDED: 'bad' } as const

/** Cloud storage of all projects of a zone, and who pays for it. */
export default function ServicesPage() {
  const { t } = useTranslation('build/storage')
  const table = useTableState<'zone' | 'level'>({ id: 'storage-desk', filters: ['zone', 'level'] })
  const { page, search, filters } = table
  const zone = (filters.zone ?? teamZone() ?? 'CN') as ZoneId
  const [chosen, setChosen] = useState<Row | null>(null)
  const result = useCall(
    api.listServices,
    { body: { ...page, ...(search ? { search } : {}), ...(filters.level && { level: filters.level as Level }) } },
    { keepBefore: true, zone },
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('desk.title')} description={t('desk.text')} />
      <DataTable
        title={t('desk.all', { zone })}
        table={table}
        result={result}
        rowKey={row => row.projectId}
        rowName={row => row.projectId}
        searchLabel={t('desk.search')}
        filters={[
          { id: 'zone', label: t('desk.zone'), options: shownZoneIds.map(value => ({ value, label: value })) },
          {
            id: 'level',
            label: t('desk.level'),
            options: levels.map(value => ({ value, label: t(`levels.${value}`) })),
          },
        ]}
        empty={{ title: t('desk.empty'), text: t('desk.emptyText') }}
        columns={[
          {
            id: 'project',
            header: t('desk.project'),
            isName: true,
            minWidth: 200,
            cell: row => <span translate="no">{row.projectId}</span>,
          },
          { id: 'team', header: t('desk.team'), minWidth: 200, cell: row => <span translate="no">{row.teamId}</span> },
          {
            id: 'level',
            header: t('desk.level'),
            minWidth: 140,
            cell: row => <StatusBadge tone={tones[row.level]} text={t(`levels.${row.level}`)} />,
          },
          {
            id: 'stored',
            header: t('usage.storedBytes'),
            minWidth: 120,
            cell: row => <ByteSize value={row.storedBytes} />,
          },
          { id: 'at', header: t('desk.changed'), width: 180, cell: row => <When at={row.updatedAt} /> },
          {
            id: 'change',
            header: t('desk.change'),
            width: 160,
            cell: row => (
              <Can call={api.setLevel}>
                <Button
                  variant="inline-link"
                  data-action="change-level"
                  ariaLabel={`${t('desk.change')} ${row.projectId}`}
                  onClick={() => setChosen(row)}
                >
                  {t('desk.change')}
                </Button>
              </Can>
            ),
          },
        ]}
      />
      {chosen && <LevelDialog row={chosen} zone={zone} onClose={() => setChosen(null)} />}
    </SpaceBetween>
  )
}

function LevelDialog({ row, zone, onClose }: { row: Row; zone: ZoneId; onClose: () => void }) {
  const { t } = useTranslation('build/storage')
  const [level, setLevel] = useState(row.level)
  const [reason, setReason] = useState('')
  const save = useAction(api.setLevel, { errors: 'form', onDone: onClose })
  const options = levels.map(value => ({ value, label: t(`levels.${value}`), description: t(`desk.means.${value}`) }))
  const { projectId, revision } = row
  const submit = () => void save.run({ body: { projectId, level, reason: reason.trim(), revision } }, { zone })
  return (
    <DialogBox
      title={t('desk.changeOf', { project: row.projectId })}
      verb={t('desk.change')}
      action="set-level"
      isRunning={save.isRunning}
      canSubmit={level !== row.level && reason.trim().length >= 3}
      refusal={save.error && errorText(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <FormField label={t('desk.level')}>
          <Select
            selectedOption={options.find(one => one.value === level) ?? null}
            options={options}
            onChange={({ detail }) => setLevel(detail.selectedOption.value as Level)}
          />
        </FormField>
        <FormField label={t('desk.reason')} description={t('desk.reasonHint')}>
          <Textarea value={reason} onChange={({ detail }) => setReason(detail.value)} />
        </FormField>
      </SpaceBetween>
    </DialogBox>
  )
}
