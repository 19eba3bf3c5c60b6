import Button from '@cloudscape-design/components/button'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge, type Tone } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ScheduleView } from '../../releases/contract.ts'
import { releasesApi, type TabProps } from '../config-calls.ts'

const tones: Readonly<Record<ScheduleView['state'], Tone>> = {
  SCHEDULED: 'waiting',
  PUBLISHED: 'good',
  CONFLICT: 'caution',
  CANCELLED: 'stopped',
}

/** What waits for its time, and what became of the others. */
export function SchedulesTab({ where }: TabProps) {
  const { t } = useTranslation('grow/remote-config')
  const table = useTableState({ id: 'remote-config-schedules' })
  const found = useCall(releasesApi.listSchedules, { query: { ...where, ...table.page } }, { keepBefore: true })
  const cancel = useAction(releasesApi.cancelSchedule)
  return (
    <DataTable
      title={t('tabs.schedules')}
      table={table}
      result={found}
      rowKey={row => row.scheduleId}
      rowName={row => row.description || row.scheduleId}
      empty={{ title: t('schedules.empty'), text: t('schedules.emptyText') }}
      columns={[
        {
          id: 'dueAt',
          header: t('schedules.dueAt'),
          isName: true,
          minWidth: 180,
          cell: row => <When at={row.dueAt} show="both" />,
        },
        {
          id: 'state',
          header: t('schedules.state'),
          cell: row => <StatusBadge tone={tones[row.state]} text={t(`schedules.states.${row.state}`)} />,
        },
        { id: 'note', header: t('publish.note'), cell: row => row.description || '–' },
        {
          id: 'version',
          header: t('schedules.version'),
          cell: row => row.version ?? '–',
        },
        {
          id: 'actions',
          header: t('schedules.actions'),
          cell: row =>
            row.state === 'SCHEDULED' && (
              <Can call={releasesApi.cancelSchedule}>
                <Button
                  variant="inline-link"
                  data-action="cancelSchedule"
                  onClick={() => void cancel.run({ params: { scheduleId: row.scheduleId }, query: where })}
                >
                  {t('schedules.cancel')}
                </Button>
              </Can>
            ),
        },
      ]}
    />
  )
}
