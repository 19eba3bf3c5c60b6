import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { ExperimentView } from '../../contract.ts'
import { limits } from '../../rules.ts'
import { experimentsApi } from '../experiment-calls.ts'

/** Devices and users that have a variant without being drawn, to look at it. */
export function TestDevicesTab({ experiment }: { experiment: ExperimentView }) {
  const { t } = useTranslation('grow/experiments')
  const { experimentId, design } = experiment
  const params = { experimentId }
  const table = useTableState({ id: 'experiment-devices' })
  const [isAdding, setAdding] = useState(false)
  const result = useCall(
    experimentsApi.listTestDevices,
    { params, query: { ...table.page, search: table.search } },
    { keepBefore: true },
  )
  const remove = useAction(experimentsApi.deleteTestDevice)
  const nameOf = (key: string) => design.variants.find(one => one.key === key)?.name ?? key
  const add = (
    <Can call={experimentsApi.putTestDevice}>
      <Button data-action="add" onClick={() => setAdding(true)}>
        {t('devices.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('pageTabs.devices')}
        table={table}
        result={result}
        rowKey={row => row.unit}
        rowName={row => row.unit}
        searchLabel={t('devices.search')}
        empty={{ title: t('devices.empty'), text: t('devices.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'unit',
            header: design.unitAttr,
            isName: true,
            minWidth: 200,
            cell: row => <span translate="no">{row.unit}</span>,
          },
          {
            id: 'variant',
            header: t('report.variant'),
            width: 220,
            cell: row => <span translate="no">{nameOf(row.variant)}</span>,
          },
          {
            id: 'actions',
            header: t('actions'),
            width: 140,
            cell: row => (
              <Can call={experimentsApi.deleteTestDevice}>
                <Button variant="inline-link" onClick={() => void remove.run({ params, query: { unit: row.unit } })}>
                  {t('delete')}
                </Button>
              </Can>
            ),
          },
        ]}
      />
      {isAdding && <NewDevice experiment={experiment} onClose={() => setAdding(false)} />}
    </>
  )
}

function NewDevice({ experiment, onClose }: { experiment: ExperimentView; onClose: () => void }) {
  const { t } = useTranslation('grow/experiments')
  const { experimentId, design } = experiment
  const [unit, setUnit] = useState('')
  const options = design.variants.map(one => ({ value: one.key, label: one.name }))
  const [variant, setVariant] = useState(options[0]?.value ?? '')
  const put = useAction(experimentsApi.putTestDevice, { errors: 'form', onDone: onClose })
  return (
    <DialogBox
      title={t('devices.add')}
      action="add-device"
      isRunning={put.isRunning}
      canSubmit={unit.trim() !== ''}
      refusal={put.error && errorText(put.error)}
      onSubmit={() => void put.run({ params: { experimentId }, body: { unit, variant } })}
      onClose={onClose}
    >
      <FormField label={t('devices.unit', { attribute: design.unitAttr })}>
        <Input
          value={unit}
          autoFocus
          nativeInputAttributes={{ maxLength: limits.unitLength }}
          onChange={({ detail }) => setUnit(detail.value)}
        />
      </FormField>
      <FormField label={t('report.variant')}>
        <div translate="no">
          <Select
            selectedOption={options.find(one => one.value === variant) ?? null}
            options={options}
            onChange={({ detail }) => setVariant(detail.selectedOption.value ?? '')}
          />
        </div>
      </FormField>
    </DialogBox>
  )
}
