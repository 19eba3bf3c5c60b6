import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import type { CopyView } from '../function-calls.ts'
import { useCopies } from './use-copies.ts'

const tones = { READY: 'good', BUSY: 'running', DRAINING: 'stopped' } as const

const versionOf = ({ version }: CopyView) => <span translate="no">{version}</span>

/** The copies as they really are; of an alias those of both its versions. */
export function InstanceList({ functionId, qualifier }: { functionId: string; qualifier: string }) {
  const { t } = useTranslation('build/functions')
  const table = useTableState({ id: 'function-instances' })
  const isVersion = /^(\$latest|[0-9]+)$/.test(qualifier)
  const copies = useCopies(functionId, qualifier)
  const { total: instances = 0, config } = copies.data ?? {}
  return (
    <DataTable
      title={t('scaling.instances')}
      actions={
        config && (
          <span className="lg-quiet">
            {t('scaling.now', { instances, target: config.live.target, floor: config.live.floor })}
          </span>
        )
      }
      table={table}
      result={copies}
      rowKey={row => row.podId}
      rowName={row => row.podId}
      empty={{ title: t('scaling.noInstances'), text: t('scaling.noInstancesText') }}
      columns={[
        {
          id: 'state',
          header: t('state'),
          isName: true,
          width: 130,
          cell: row => <StatusBadge tone={tones[row.state]} text={t(`scaling.states.${row.state}`)} />,
        },
        ...(isVersion ? [] : [{ id: 'version', header: t('version'), width: 100, cell: versionOf }]),
        { id: 'memory', header: t('memory'), width: 100, cell: row => t('mb', { value: row.memMb }) },
        { id: 'inFlight', header: t('scaling.inFlight'), width: 110, cell: row => row.inFlight },
        { id: 'served', header: t('scaling.served'), width: 140, cell: row => row.served },
        { id: 'cpu', header: t('scaling.cpu'), width: 200, cell: row => t('ms', { value: row.cpuMs }) },
        { id: 'started', header: t('scaling.startedAt'), width: 160, cell: row => <When at={row.startedAt} /> },
        { id: 'boot', header: t('scaling.boot'), width: 140, cell: row => t('ms', { value: row.bootMs + row.initMs }) },
      ]}
    />
  )
}
