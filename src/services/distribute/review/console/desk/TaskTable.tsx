import Link from '@cloudscape-design/components/link'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type Queue, queues, type TaskState } from '../../rules.ts'
import { desk } from '../review-calls.ts'
import { toneOfTask, versionName } from '../review-words.ts'
import { SlaClock } from '../SlaClock.tsx'
import { useDeskZone } from './use-desk-zone.ts'

export const deskViews = ['queue', 'mine', 'waiting', 'decided', 'all'] as const
export type DeskView = (typeof deskViews)[number]

const queryOf: Record<DeskView, { state?: TaskState; mine?: boolean }> = {
  queue: { state: 'QUEUED' },
  mine: { state: 'CLAIMED', mine: true },
  waiting: { state: 'WAITING' },
  decided: { state: 'DECIDED' },
  all: {},
}

/** Tasks of one view, the most urgent first. */
export function TaskTable({ view }: { view: DeskView }) {
  const { t } = useTranslation('distribute/review')
  const { at, search } = useDeskZone()
  const table = useTableState<'queue' | 'mine'>({
    id: 'desk',
    filters: ['queue', 'mine'],
    sort: { by: 'priority', isDescending: true },
  })
  const result = useCall(
    desk.listTasks,
    {
      query: {
        ...table.page,
        ...queryOf[view],
        ...(table.search && { search: table.search }),
        ...(table.filters.queue && { queue: table.filters.queue as Queue }),
        ...(table.filters.mine && { mine: true }),
        sort: table.sort?.by === 'due' ? 'due' : 'priority',
      },
    },
    { keepBefore: true, ...at, refetchInterval: 15_000 },
  )
  return (
    <DataTable
      title={t(`views.${view}`)}
      table={table}
      result={result}
      rowKey={task => task.taskId}
      rowName={task => task.appName}
      searchLabel={t('desk.search')}
      filters={[
        { id: 'queue', label: t('task.queue'), options: queues.map(value => ({ value, label: t(`queues.${value}`) })) },
        { id: 'mine', label: t('desk.whose'), options: [{ value: 'yes', label: t('desk.mine') }] },
      ]}
      empty={{ title: t(`empty.${view}`), text: t('desk.emptyText') }}
      columns={[
        {
          id: 'app',
          header: t('task.app'),
          isName: true,
          minWidth: 190,
          cell: task => (
            <>
              <Link href={hrefOf('/desk/$taskId', { taskId: task.taskId }, search)}>{task.appName}</Link>
              <div className="lg-soft">{task.packageName ?? '–'}</div>
            </>
          ),
        },
        { id: 'version', header: t('task.version'), minWidth: 100, cell: versionName },
        {
          id: 'queue',
          header: t('task.queue'),
          minWidth: 115,
          cell: task => (
            <>
              {task.itemKind === 'VERSION' ? t(`queues.${task.queue}`) : t(`kinds.${task.itemKind}`)}
              {task.isSampled && <div className="lg-soft">{t('auto.sample')}</div>}
              {task.needsSenior && <div className="lg-soft">{t('senior.short')}</div>}
            </>
          ),
        },
        {
          id: 'state',
          header: t('task.state'),
          minWidth: 130,
          cell: task => (
            <StatusBadge
              tone={toneOfTask[task.state]}
              text={task.isMine ? t('task.yours') : t(`task.states.${task.state}`)}
            />
          ),
        },
        { id: 'priority', header: t('task.priority'), sortBy: 'priority', cell: task => task.priority },
        {
          id: 'due',
          header: t('task.due'),
          sortBy: 'due',
          minWidth: 130,
          cell: task =>
            task.decidedAt === null ? (
              <SlaClock slaDueAt={task.slaDueAt} pausedAt={task.pausedAt} isShort />
            ) : (
              t(`verdicts.${task.verdict}`)
            ),
        },
        { id: 'place', header: t('task.place'), cell: task => task.queuePosition ?? '–' },
      ]}
    />
  )
}
