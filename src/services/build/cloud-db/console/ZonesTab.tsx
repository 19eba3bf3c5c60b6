import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { wholeList } from '../../../../console/kit/whole-list.ts'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { isZoneName, limits } from '../schema/rules.ts'
import { databaseApi } from './database-calls.ts'
import { KeptPanel } from './KeptPanel.tsx'
import { RetentionPanel } from './RetentionPanel.tsx'

interface ZoneRow {
  zoneId: string
  name: string
  rows: number
  bytes: number
  createdAt: number
}

/** Data zones: each holds a table of every object type. */
export function ZonesTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/cloud-db')
  const found = useCall(databaseApi.listZones, { query: { projectId } })
  const [name, setName] = useState<string | null>(null)
  const [deleted, setDeleted] = useState<string | null>(null)
  const create = useAction(databaseApi.createZone, { errors: 'form', onDone: () => setName(null) })
  const remove = useAction(databaseApi.deleteZone, { onDone: () => setDeleted(null) })
  const table = useTableState({ id: 'cloud-db-zones' })
  const list = found.data?.list ?? []
  const mayEdit = may('cloudDb.edit')
  const button = mayEdit && (
    <Button
      variant="primary"
      disabled={list.length >= limits.zones}
      onClick={() => setName('')}
      data-action="cloudDb.createZone"
    >
      {t('zones.create')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      <DataTable
        title={t('tabs.zones')}
        table={table}
        result={wholeList(found)}
        rowKey={zone => zone.zoneId}
        rowName={zone => zone.name}
        empty={{ title: t('zones.empty'), text: t('zones.emptyText'), action: button || undefined }}
        actions={button}
        columns={[
          {
            id: 'name',
            header: t('zones.name'),
            isName: true,
            minWidth: 160,
            cell: zone => <span translate="no">{zone.name}</span>,
          },
          {
            id: 'rows',
            header: t('zones.rows'),
            width: 130,
            cell: zone => zone.rows.toLocaleString(i18n.resolvedLanguage),
          },
          { id: 'bytes', header: t('zones.bytes'), width: 140, cell: zone => <ByteSize value={zone.bytes} /> },
          { id: 'made', header: t('zones.made'), width: 180, cell: zone => <When at={zone.createdAt} /> },
          ...(mayEdit
            ? [
                {
                  id: 'actions',
                  header: t('types.actions'),
                  width: 130,
                  cell: (zone: ZoneRow) => (
                    <Button
                      variant="inline-link"
                      ariaLabel={`${t('types.delete')} ${zone.name}`}
                      onClick={() => setDeleted(zone.name)}
                    >
                      {t('types.delete')}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      <KeptPanel projectId={projectId} kind="ZONE" />
      <RetentionPanel projectId={projectId} />
      {name !== null && (
        <DialogBox
          title={t('zones.create')}
          verb={t('zones.create')}
          isRunning={create.isRunning}
          canSubmit={isZoneName(name)}
          refusal={create.error && errorText(create.error)}
          onClose={() => setName(null)}
          onSubmit={() => void create.run({ body: { projectId, name } })}
        >
          <FormField label={t('zones.name')} constraintText={t('zones.nameHint', { limit: limits.zoneNameLength })}>
            <Input value={name} spellcheck={false} onChange={({ detail }) => setName(detail.value)} />
          </FormField>
        </DialogBox>
      )}
      {deleted !== null && (
        <ConfirmByName
          title={t('zones.deleteTitle', { name: deleted })}
          name={deleted}
          verb={t('types.delete')}
          isRunning={remove.isRunning}
          onCancel={() => setDeleted(null)}
          onConfirm={() => void remove.run({ query: { projectId, name: deleted, confirm: deleted } })}
        >
          {t('zones.deleteText', { count: list.find(zone => zone.name === deleted)?.rows ?? 0 })}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
