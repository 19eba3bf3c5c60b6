import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import Toggle from '@cloudscape-design/components/toggle'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { type Condition, QueryBuilder } from './QueryBuilder.tsx'
import { RowsTable } from './RowsTable.tsx'
import { usePlaces } from './use-places.ts'

/** Rows of a type in a data zone: asked for, changed in place, taken out and brought back. */
export function DataTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/cloud-db')
  const of = usePlaces(projectId)
  const [conditions, setConditions] = useState<Condition[]>([])
  const [isBin, setBin] = useState(false)
  if (of.error) return <ErrorState error={of.error} onRetry={() => window.location.reload()} />
  if (of.isPending) {
    return (
      <Box textAlign="center">
        <Spinner />
      </Box>
    )
  }
  const { zone, type } = of
  if (zone === undefined) return <EmptyState title={t('zones.empty')} text={t('zones.emptyText')} />
  if (!type) return <EmptyState title={t('types.empty')} text={t('types.emptyText')} />
  const choose = (part: { dataZone?: string; type?: string }) => {
    setConditions([])
    of.change(part)
  }
  return (
    <SpaceBetween size="m">
      <div className="cdb-line">
        <FormField label={t('zones.name')}>
          <Select
            ariaLabel={t('zones.name')}
            selectedOption={{ value: zone, label: zone }}
            options={of.zones.map(value => ({ value, label: value }))}
            onChange={({ detail }) => choose({ dataZone: detail.selectedOption.value ?? '' })}
          />
        </FormField>
        <FormField label={t('types.name')}>
          <Select
            ariaLabel={t('types.name')}
            selectedOption={{ value: type.objectTypeName, label: type.objectTypeName }}
            options={of.types.map(one => ({ value: one.objectTypeName, label: one.objectTypeName }))}
            onChange={({ detail }) => choose({ type: detail.selectedOption.value ?? '' })}
          />
        </FormField>
        <Toggle checked={isBin} onChange={({ detail }) => setBin(detail.checked)}>
          {t('data.bin')}
        </Toggle>
      </div>
      <QueryBuilder key={type.objectTypeName} type={type} onAsk={setConditions} />
      <RowsTable
        key={JSON.stringify([zone, type.objectTypeName, isBin, conditions])}
        projectId={projectId}
        zone={zone}
        type={type}
        conditions={conditions}
        isBin={isBin}
      />
    </SpaceBetween>
  )
}
