import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { errorText } from '../../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { wholeList } from '../../../../../console/kit/whole-list.ts'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { settingsLimits } from '../../settings/rules.ts'
import { type DevProjectView, type PropertyView, settingsApi } from '../project-calls.ts'

export function PropertiesTab({ project }: { project: DevProjectView }) {
  const { t } = useTranslation('ground/projects')
  const { projectId } = project
  const [edited, setEdited] = useState<PropertyView | 'new' | null>(null)
  const [doomed, setDoomed] = useState<PropertyView | null>(null)
  const table = useTableState({ id: 'project-properties' })
  const result = useCall(settingsApi.getProperties, { query: { projectId } })
  const revision = result.data?.revision ?? project.revision
  const remove = useAction(settingsApi.setProperties, { onDone: () => setDoomed(null) })
  const add = (
    <Can call={settingsApi.setProperties}>
      <Button data-action="add-property" onClick={() => setEdited('new')}>
        {t('properties.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('settings.tabs.properties')}
        table={table}
        result={wholeList(result)}
        rowKey={row => row.name}
        rowName={row => row.name}
        empty={{ title: t('properties.empty'), text: t('properties.emptyText') }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('properties.name'),
            isName: true,
            minWidth: 180,
            cell: row => <code>{row.name}</code>,
          },
          { id: 'value', header: t('properties.value'), minWidth: 220, cell: row => row.value },
          { id: 'updated', header: t('projects.updated'), width: 170, cell: row => <When at={row.updatedAt} /> },
          ...(may('projects.edit')
            ? [
                {
                  id: 'actions',
                  header: t('properties.actions'),
                  width: 200,
                  cell: (row: PropertyView) => (
                    <SpaceBetween direction="horizontal" size="xs">
                      <Button variant="inline-link" data-action="edit-property" onClick={() => setEdited(row)}>
                        {t('action.edit')}
                      </Button>
                      <Button variant="inline-link" data-action="remove-property" onClick={() => setDoomed(row)}>
                        {t('action.delete')}
                      </Button>
                    </SpaceBetween>
                  ),
                },
              ]
            : []),
        ]}
      />
      {edited && (
        <EditProperty
          projectId={projectId}
          revision={revision}
          before={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      {doomed && (
        <ConfirmByName
          title={t('properties.deleteTitle')}
          name={doomed.name}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onCancel={() => setDoomed(null)}
          onConfirm={() =>
            void remove.run({ body: { projectId, revision, properties: [{ name: doomed.name, value: null }] } })
          }
        >
          {t('properties.deleteText')}
        </ConfirmByName>
      )}
    </>
  )
}

interface EditPropertyProps {
  projectId: string
  revision: number
  before: PropertyView | null
  onClose: () => void
}

function EditProperty({ projectId, revision, before, onClose }: EditPropertyProps) {
  const { t } = useTranslation('ground/projects')
  const [name, setName] = useState(before?.name ?? '')
  const [value, setValue] = useState(before?.value ?? '')
  const act = useAction(settingsApi.setProperties, { errors: 'form', onDone: onClose })
  const save = () => void act.run({ body: { projectId, revision, properties: [{ name, value }] } })
  return (
    <DialogBox
      title={before ? t('properties.editOf', { name: before.name }) : t('properties.add')}
      action="save-property"
      isRunning={act.isRunning}
      canSubmit={name !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <FormField
        label={t('properties.name')}
        description={t('properties.nameHint')}
        errorText={act.error && errorText(act.error)}
      >
        <Input value={name} disabled={before !== null} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField
        label={t('properties.value')}
        constraintText={t('properties.valueHint', { count: settingsLimits.propertyValue })}
      >
        <Input value={value} onChange={({ detail }) => setValue(detail.value)} />
      </FormField>
    </DialogBox>
  )
}
