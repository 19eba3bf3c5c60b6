import Badge, { type BadgeProps } from '@cloudscape-design/components/badge'
import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { may } from '../../../../../console/session.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api, type TagSetView } from '../menu-calls.ts'
import { TagSetForm } from './TagSetForm.tsx'

const badges: Record<TagSetView['tags'][number]['colour'], NonNullable<BadgeProps['color']>> = {
  grey: 'grey',
  blue: 'blue',
  green: 'green',
  red: 'red',
  amber: 'severity-medium',
}

/** The team's own words to sort things by. */
export default function TagSetsPage() {
  const { t } = useTranslation('ground/menu')
  const [editing, setEditing] = useState<TagSetView | 'new' | null>(null)
  const [doomed, setDoomed] = useState<TagSetView | null>(null)
  const table = useTableState({ id: 'tag-sets' })
  const result = useCall(api.listTagSets, { query: { ...table.page, search: table.search } }, { keepBefore: true })
  const remove = useAction(api.deleteTagSet, { onDone: () => setDoomed(null) })
  const create = (variant: 'primary' | 'normal') => (
    <Can call={api.createTagSet}>
      <Button variant={variant} data-action="createTagSet" onClick={() => setEditing('new')}>
        {t('tags.new')}
      </Button>
    </Can>
  )
  const actions = (row: TagSetView) => (
    <SpaceBetween direction="horizontal" size="xs">
      <Button
        variant="inline-link"
        data-action="editTagSet"
        ariaLabel={t('tags.editOf', { name: row.name })}
        onClick={() => setEditing(row)}
      >
        {t('action.edit')}
      </Button>
      <Button
        variant="inline-link"
        data-action="deleteTagSet"
        ariaLabel={t('slots.deleteOf', { title: row.name })}
        onClick={() => setDoomed(row)}
      >
        {t('action.delete')}
      </Button>
    </SpaceBetween>
  )
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('tags.title')} description={t('tags.text')} />
      <DataTable
        title={t('tags.all')}
        table={table}
        result={result}
        rowKey={row => row.tagSetId}
        rowName={row => row.name}
        searchLabel={t('tags.search')}
        empty={{ title: t('tags.empty'), text: t('tags.emptyText'), action: create('normal') }}
        actions={create('primary')}
        columns={[
          {
            id: 'name',
            header: t('groups.name'),
            isName: true,
            minWidth: 180,
            cell: row => <span translate="no">{row.name}</span>,
          },
          {
            id: 'tags',
            header: t('tags.tags'),
            minWidth: 280,
            cell: row =>
              row.tags.length > 0 ? (
                <span className="menu-tags" translate="no">
                  {row.tags.map(tag => (
                    <Badge key={tag.name} color={badges[tag.colour]}>
                      {tag.name}
                    </Badge>
                  ))}
                </span>
              ) : (
                t('tags.none')
              ),
          },
          {
            id: 'updated',
            header: t('switches.changed'),
            width: 180,
            cell: row => <When at={row.updatedAt} show="relative" />,
          },
          ...(may('menu.edit') ? [{ id: 'actions', header: t('write.actions'), width: 200, cell: actions }] : []),
        ]}
      />
      {editing && <TagSetForm row={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {doomed && (
        <ConfirmByName
          title={t('tags.deleteTitle')}
          name={doomed.name}
          verb={t('action.delete')}
          isRunning={remove.isRunning}
          onCancel={() => setDoomed(null)}
          onConfirm={() => void remove.run({ query: { tagSetId: doomed.tagSetId } }, { revision: doomed.revision })}
        >
          {t('tags.deleteText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}
