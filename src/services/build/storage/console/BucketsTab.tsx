import Button from '@cloudscape-design/components/button'
import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { errorText } from '../../../../console/error-text.ts'
import { ByteSize } from '../../../../console/kit/ByteSize.tsx'
import { ConfirmByName } from '../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { bucketNameProblem } from '../rules.ts'
import { api, type BucketView, useGeneration } from './storage-calls.ts'

/** The buckets of a project with what they hold. */
export function BucketsTab({ projectId }: { projectId: string }) {
  const { t, i18n } = useTranslation('build/storage')
  const calls = useGeneration()
  const table = useTableState({ id: 'storage-buckets' })
  const result = useCall(calls.queryBucketIds, { body: { projectId } })
  const [isAdding, setAdding] = useState(false)
  const [going, setGoing] = useState<BucketView | null>(null)
  const remove = useAction(api.deleteBucket, { onDone: () => setGoing(null) })
  const add = (
    <Can call={api.createBucket}>
      <Button variant="primary" data-action="create" onClick={() => setAdding(true)}>
        {t('buckets.add')}
      </Button>
    </Can>
  )
  return (
    <>
      <DataTable
        title={t('tabs.buckets')}
        table={table}
        result={result}
        rowKey={row => row.bucketId}
        rowName={row => row.bucketId}
        empty={{ title: t('buckets.empty'), text: t('buckets.emptyText'), action: add }}
        actions={add}
        columns={[
          {
            id: 'name',
            header: t('buckets.name'),
            isName: true,
            minWidth: 220,
            cell: row => (
              <SpaceBetween direction="horizontal" size="xs">
                <span translate="no">
                  <Link href={hrefOf('/storage/$bucketId', { bucketId: row.bucketId }, { projectId })}>
                    {row.bucketId}
                  </Link>
                </span>
                {row.isDefault && <StatusBadge tone="off" text={t('buckets.default')} />}
                {row.isSite && <StatusBadge tone="good" text={t('buckets.site')} />}
                {row.state === 'DELETING' && <StatusBadge tone="running" text={t('buckets.going')} />}
              </SpaceBetween>
            ),
          },
          {
            id: 'count',
            header: t('buckets.count'),
            width: 120,
            cell: row => row.count.toLocaleString(i18n.resolvedLanguage),
          },
          { id: 'size', header: t('buckets.size'), width: 140, cell: row => <ByteSize value={row.size} /> },
          { id: 'versions', header: t('versioning.title'), width: 150, cell: row => t(`versioning.${row.versioning}`) },
          { id: 'made', header: t('buckets.made'), width: 170, cell: row => <When at={row.createdAt} /> },
          {
            id: 'actions',
            header: t('actions'),
            width: 110,
            cell: row =>
              row.state === 'ACTIVE' && (
                <Can call={api.deleteBucket}>
                  <Button variant="inline-link" data-action="delete" onClick={() => setGoing(row)}>
                    {t('delete')}
                  </Button>
                </Can>
              ),
          },
        ]}
      />
      {isAdding && <NewBucket projectId={projectId} onClose={() => setAdding(false)} />}
      {going && (
        <ConfirmByName
          title={t('buckets.deleteTitle', { name: going.bucketId })}
          name={going.bucketId}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ body: { bucketId: going.bucketId, force: true } })}
          onCancel={() => setGoing(null)}
        >
          {t('buckets.deleteText', { count: going.count })}
        </ConfirmByName>
      )}
    </>
  )
}

function NewBucket({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const { t } = useTranslation('build/storage')
  const [name, setName] = useState('')
  const [isVersioned, setVersioned] = useState(false)
  const create = useAction(api.createBucket, { errors: 'form', onDone: onClose })
  const isWrong = name !== '' && bucketNameProblem(name) !== null
  return (
    <DialogBox
      title={t('buckets.add')}
      verb={t('buckets.create')}
      action="create-bucket"
      isRunning={create.isRunning}
      canSubmit={name !== '' && !isWrong}
      refusal={create.error && errorText(create.error)}
      onSubmit={() => void create.run({ body: { projectId, name, versioning: isVersioned } })}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <FormField
          label={t('buckets.name')}
          description={t('buckets.nameHint')}
          errorText={isWrong ? t('buckets.nameWrong') : undefined}
        >
          <Input value={name} autoFocus onChange={({ detail }) => setName(detail.value)} />
        </FormField>
        <Checkbox
          checked={isVersioned}
          description={t('versioning.hint')}
          onChange={({ detail }) => setVersioned(detail.checked)}
        >
          {t('versioning.keep')}
        </Checkbox>
      </SpaceBetween>
    </DialogBox>
  )
}
