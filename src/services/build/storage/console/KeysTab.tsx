import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { CopyText } from './CopyText.tsx'
import { type KeyView, keysApi } from './storage-calls.ts'

/** Keys for tools that speak S3, and for those that deploy functions. */
export function KeysTab({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/storage')
  const table = useTableState({ id: 'storage-keys' })
  const result = useCall(keysApi.listKeys, { body: { projectId } })
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<{ accessKeyId: string; secret: string } | null>(null)
  const [going, setGoing] = useState<KeyView | null>(null)
  const remove = useAction(keysApi.deleteKey, { onDone: () => setGoing(null) })
  const add = (
    <Button variant="primary" data-action="create-key" onClick={() => setAdding(true)}>
      {t('keys.add')}
    </Button>
  )
  return (
    <SpaceBetween size="l">
      {made && (
        <Alert type="success" header={t('keys.made')} dismissible onDismiss={() => setMade(null)}>
          <SpaceBetween size="s">
            <div>{t('keys.once')}</div>
            <KeyValuePairs
              columns={2}
              items={[
                { label: t('keys.id'), value: <CopyText text={made.accessKeyId} /> },
                { label: t('keys.secret'), value: <CopyText text={made.secret} /> },
              ]}
            />
          </SpaceBetween>
        </Alert>
      )}
      {result.data && (
        <KeyValuePairs items={[{ label: t('keys.endpoint'), value: <CopyText text={result.data.endpoint} /> }]} />
      )}
      <DataTable
        title={t('tabs.keys')}
        table={table}
        result={result}
        rowKey={row => row.accessKeyId}
        rowName={row => row.name}
        empty={{ title: t('keys.empty'), text: t('keys.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('keys.name'),
            isName: true,
            minWidth: 160,
            cell: row => <span translate="no">{row.name}</span>,
          },
          { id: 'id', header: t('keys.id'), minWidth: 220, cell: row => <span translate="no">{row.accessKeyId}</span> },
          {
            id: 'rights',
            header: t('keys.rights'),
            width: 130,
            cell: row => t(row.isReadOnly ? 'keys.reads' : 'keys.writes'),
          },
          {
            id: 'services',
            header: t('keys.for'),
            width: 140,
            cell: row => row.services.map(one => t(`keys.services.${one}`)).join(', '),
          },
          { id: 'used', header: t('keys.used'), width: 160, cell: row => <When at={row.lastUsedAt} /> },
          { id: 'ends', header: t('keys.ends'), width: 160, cell: row => <When at={row.expiresAt} /> },
          {
            id: 'actions',
            header: t('actions'),
            width: 110,
            cell: row => (
              <Button variant="inline-link" data-action="delete-key" onClick={() => setGoing(row)}>
                {t('delete')}
              </Button>
            ),
          },
        ]}
      />
      {isAdding && (
        <NewKey
          projectId={projectId}
          onMade={(accessKeyId, secret) => {
            setMade({ accessKeyId, secret })
            setAdding(false)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {going && (
        <ConfirmByName
          title={t('keys.deleteTitle')}
          name={going.name}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ body: { projectId, accessKeyId: going.accessKeyId } })}
          onCancel={() => setGoing(null)}
        >
          {t('keys.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}

interface NewKeyProps {
  projectId: string
  onMade: (accessKeyId: string, secret: string) => void
  onClose: () => void
}

function NewKey({ projectId, onMade, onClose }: NewKeyProps) {
  const { t } = useTranslation('build/storage')
  const [name, setName] = useState('')
  const [isReadOnly, setReadOnly] = useState(false)
  const [isForFunctions, setForFunctions] = useState(false)
  const services: KeyView['services'] = isForFunctions ? ['storage', 'functions'] : ['storage']
  const create = useAction(keysApi.createKey, {
    errors: 'form',
    onDone: ({ key, secretAccessKey }) => onMade(key.accessKeyId, secretAccessKey),
  })
  return (
    <DialogBox
      title={t('keys.add')}
      verb={t('keys.create')}
      action="make-key"
      isRunning={create.isRunning}
      canSubmit={name.trim() !== ''}
      refusal={create.error && errorText(create.error)}
      onSubmit={() => void create.run({ body: { projectId, name: name.trim(), isReadOnly, services } })}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <FormField label={t('keys.name')} description={t('keys.nameHint')}>
          <Input value={name} autoFocus onChange={({ detail }) => setName(detail.value)} />
        </FormField>
        <Checkbox checked={isReadOnly} onChange={({ detail }) => setReadOnly(detail.checked)}>
          {t('keys.readOnly')}
        </Checkbox>
        <Checkbox
          checked={isForFunctions}
          description={t('keys.forFunctionsHint')}
          onChange={({ detail }) => setForFunctions(detail.checked)}
        >
          {t('keys.forFunctions')}
        </Checkbox>
      </SpaceBetween>
    </DialogBox>
  )
}
