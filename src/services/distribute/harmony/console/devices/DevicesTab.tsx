import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { ExportMenu } from '../../../../../console/kit/ExportMenu.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { TableColumn } from '../../../../../console/kit/table-parts.ts'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { may } from '../../../../../console/session.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { DeviceView } from '../../devices/contract.ts'
import { type DeviceState, deviceStates, deviceTypeNumbers } from '../../rules.ts'
import { devicesApi, toneOfState } from '../harmony-calls.ts'
import { Usage } from '../Usage.tsx'
import { AddDevice } from './AddDevice.tsx'
import { ImportDevices } from './ImportDevices.tsx'
import { RemoveDevices } from './RemoveDevices.tsx'
import { RenameDevice } from './RenameDevice.tsx'

/** The devices that apps are tried on, and how many more of each type there can be this year. */
export function DevicesTab() {
  const { t } = useTranslation('distribute/harmony')
  const [open, setOpen] = useState<'add' | 'import' | 'remove' | null>(null)
  const [renamed, setRenamed] = useState<DeviceView | null>(null)
  const [chosen, setChosen] = useState<DeviceView[]>([])
  const table = useTableState<'type' | 'state'>({ id: 'harmonyDevices', filters: ['type', 'state'] })
  const { search, filters, page } = table
  const filter = {
    ...(search && { search }),
    ...(filters.type && { deviceType: Number(filters.type) }),
    ...(filters.state && { state: filters.state as DeviceState }),
  }
  const result = useCall(devicesApi.listDevices, { query: { ...filter, ...page } }, { keepBefore: true })
  const removable = chosen.filter(one => one.allowedActions.includes('remove'))
  const close = () => {
    setOpen(null)
    setChosen([])
  }
  const add = (
    <Can call={devicesApi.addDevices}>
      <Button variant="primary" data-action="addDevices" onClick={() => setOpen('add')}>
        {t('devices.add')}
      </Button>
    </Can>
  )
  const columns: TableColumn<DeviceView>[] = [
    {
      id: 'name',
      header: t('name'),
      isName: true,
      minWidth: 160,
      cell: row =>
        row.allowedActions.includes('rename') ? (
          <Button variant="inline-link" data-action="rename" onClick={() => setRenamed(row)}>
            <span translate="no">{row.deviceName}</span>
          </Button>
        ) : (
          <span translate="no">{row.deviceName}</span>
        ),
    },
    {
      id: 'udid',
      header: 'UDID',
      minWidth: 240,
      cell: row => (
        <span className="harmony-mono" translate="no">
          {row.udid}
        </span>
      ),
    },
    { id: 'type', header: t('type'), width: 130, cell: row => t(`deviceTypes.${row.deviceType}`) },
    {
      id: 'state',
      header: t('state'),
      width: 160,
      cell: row => (
        <>
          <StatusBadge tone={toneOfState[row.state]} text={t(`states.${row.state}`)} />
          {row.countedUntil !== null && (
            <div className="lg-soft">
              {t('devices.countedUntil')} <When at={row.countedUntil} />
            </div>
          )}
        </>
      ),
    },
    { id: 'profiles', header: t('tabs.profiles'), width: 110, cell: row => row.profileCount },
    { id: 'added', header: t('devices.added'), width: 170, cell: row => <When at={row.createTime} /> },
  ]
  return (
    <SpaceBetween size="l">
      <Usage
        label={t('devices.limits')}
        items={(result.data?.usage ?? []).map(one => ({
          ...one,
          id: one.deviceType,
          label: t(`deviceTypes.${one.deviceType}`),
        }))}
      />
      <DataTable
        title={t('tabs.devices')}
        table={table}
        result={result}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.deviceName}
        searchLabel={t('devices.search')}
        filters={[
          {
            id: 'type',
            label: t('type'),
            options: deviceTypeNumbers.map(type => ({ value: String(type), label: t(`deviceTypes.${type}`) })),
          },
          {
            id: 'state',
            label: t('state'),
            options: deviceStates.map(state => ({ value: state, label: t(`states.${state}`) })),
          },
        ]}
        empty={{ title: t('devices.empty'), text: t('devices.emptyText'), action: add }}
        {...(may('harmony.edit') && { selection: { type: 'multi', rows: chosen, onChange: setChosen } })}
        actions={
          <>
            {removable.length > 0 && (
              <Button data-action="remove" onClick={() => setOpen('remove')}>
                {t('devices.remove', { count: removable.length })}
              </Button>
            )}
            <ExportMenu ask={wish => devicesApi.exportDevices.raw({ query: { ...filter, ...wish } })} />
            <Can call={devicesApi.importDevices}>
              <Button data-action="importDevices" onClick={() => setOpen('import')}>
                {t('devices.import')}
              </Button>
            </Can>
            {add}
          </>
        }
      />
      {open === 'add' && <AddDevice onClose={close} />}
      {open === 'import' && <ImportDevices onClose={close} />}
      {open === 'remove' && <RemoveDevices devices={removable} onClose={close} />}
      {renamed && <RenameDevice device={renamed} onClose={() => setRenamed(null)} />}
    </SpaceBetween>
  )
}
