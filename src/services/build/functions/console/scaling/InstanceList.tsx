import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { useCall } from '../../../../../console/use-call.ts'
import { aliasApi, api, type ManagerView } from '../function-calls.ts'

interface InstanceListProps {
  functionId: string
  qualifier: string
  live: ManagerView['live']
}

const tones = { READY: 'good', BUSY: 'running', DRAINING: 'stopped' } as const

/** The copies as they really are, looked at every two seconds. */
export function InstanceList({ functionId, qualifier, live }: InstanceListProps) {
  const { t } = useTranslation('build/functions')
  const table = useTableState({ id: 'function-instances' })
  const isVersion = /^(\$latest|[0-9]+)$/.test(qualifier)
  const aliases = useCall(aliasApi.listAliases, { params: { functionId } }, { enabled: !isVersion })
  const led = aliases.data?.list.find(one => one.name === qualifier)
  const version = isVersion ? qualifier : (led?.version ?? '')
  const pods = useCall(
    api.listPods,
    { params: { functionId, version } },
    { refetchInterval: 2_000, staleTime: 0, enabled: version !== '' },
  )
  return (
    <DataTable
      title={t('scaling.instances')}
      actions={
        <span className="lg-quiet">
          {t('scaling.now', { instances: live.instances, target: live.target, floor: live.floor })}
        </span>
      }
      table={table}
      result={pods}
      rowKey={row => row.podId}
      rowName={row => row.podId}
      empty={{ title: t('scaling.noInstances'), text: t('scaling.noInstancesText') }}
      columns={[
        {
          id: 'state',
          header: t('state'),
          isName: true,
          width: 160,
          cell: row => <StatusBadge tone={tones[row.state]} text={t(`scaling.states.${row.state}`)} />,
        },
        { id: 'memory', header: t('memory'), width: 120, cell: row => t('mb', { value: row.memMb }) },
        { id: 'inFlight', header: t('scaling.inFlight'), width: 120, cell: row => row.inFlight },
        { id: 'served', header: t('scaling.served'), width: 120, cell: row => row.served },
        { id: 'cpu', header: t('scaling.cpu'), width: 170, cell: row => t('ms', { value: row.cpuMs }) },
        { id: 'started', header: t('scaling.startedAt'), width: 170, cell: row => <When at={row.startedAt} /> },
        { id: 'boot', header: t('scaling.boot'), width: 150, cell: row => t('ms', { value: row.bootMs + row.initMs }) },
      ]}
    />
  )
}
