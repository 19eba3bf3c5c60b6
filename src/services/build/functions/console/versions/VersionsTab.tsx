import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { ConfirmByName } from '../../../../../console/kit/ConfirmByName.tsx'
import { DataTable } from '../../../../../console/kit/DataTable.tsx'
import { useTableState } from '../../../../../console/kit/table-state.ts'
import { When } from '../../../../../console/kit/When.tsx'
import { saveFile } from '../../../../../console/save-file.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { latest } from '../../rules.ts'
import { type Alias, aliasApi, api, type FunctionView } from '../function-calls.ts'
import { AliasDialog } from './AliasDialog.tsx'
import { Canaries } from './Canaries.tsx'
import { SplitBar } from './SplitBar.tsx'

/** What was published, and the names that lead there. */
export function VersionsTab({ of }: { of: FunctionView }) {
  const { t } = useTranslation('build/functions')
  const { functionId, functionName, projectId } = of
  const table = useTableState({ id: 'function-versions' })
  const versions = useCall(api.listVersions, { params: { name: functionName }, query: { projectId } })
  const [leaving, setLeaving] = useState<string | null>(null)
  const remove = useAction(api.deleteFunction, { onDone: () => setLeaving(null) })
  const numbers = (versions.data?.list ?? []).map(one => one.version)
  return (
    <SpaceBetween size="l">
      <Aliases functionId={functionId} versions={numbers} />
      <Canaries functionId={functionId} versions={numbers} />
      <DataTable
        title={t('versions')}
        table={table}
        result={versions}
        rowKey={row => row.version}
        rowName={row => row.version}
        empty={{ title: t('noVersions') }}
        columns={[
          {
            id: 'version',
            header: t('version'),
            isName: true,
            width: 130,
            cell: row => <span translate="no">{row.version}</span>,
          },
          { id: 'description', header: t('description'), minWidth: 180, cell: row => row.description || '–' },
          {
            id: 'aliases',
            header: t('aliases'),
            minWidth: 140,
            cell: row => <span translate="no">{row.aliases.join(', ') || '–'}</span>,
          },
          { id: 'size', header: t('size'), width: 120, cell: row => <ByteSize value={row.codeBytes} /> },
          {
            id: 'published',
            header: t('publishedAt'),
            width: 170,
            cell: row => (row.publishedAt === null ? '–' : <When at={row.publishedAt} />),
          },
          {
            id: 'actions',
            header: t('actions'),
            width: 190,
            cell: ({ version, aliases }) => (
              <SpaceBetween direction="horizontal" size="xs">
                {!of.config.image && (
                  <Button
                    variant="inline-link"
                    data-action="download-version"
                    onClick={() =>
                      void saveFile(
                        api.downloadCode.raw({ params: { functionId }, query: { version } }),
                        `${functionName}-${version}.zip`,
                      )
                    }
                  >
                    {t('download')}
                  </Button>
                )}
                {version !== latest && aliases.length === 0 && (
                  <Can call={api.deleteFunction}>
                    <Button variant="inline-link" data-action="delete-version" onClick={() => setLeaving(version)}>
                      {t('delete')}
                    </Button>
                  </Can>
                )}
              </SpaceBetween>
            ),
          },
        ]}
      />
      {leaving !== null && (
        <ConfirmByName
          title={t('deleteVersionTitle')}
          name={leaving}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { functionId }, query: { version: leaving } })}
          onCancel={() => setLeaving(null)}
        >
          {t('deleteVersionText')}
        </ConfirmByName>
      )}
    </SpaceBetween>
  )
}

function Aliases({ functionId, versions }: { functionId: string; versions: readonly string[] }) {
  const { t } = useTranslation('build/functions')
  const [open, setOpen] = useState<Alias | 'new' | null>(null)
  const found = useCall(aliasApi.listAliases, { params: { functionId } })
  const [leaving, setLeaving] = useState<string | null>(null)
  const remove = useAction(aliasApi.deleteAlias, { onDone: () => setLeaving(null) })
  const list = found.data?.list ?? []
  const make = (
    <Can call={aliasApi.createAlias}>
      <Button data-action="new-alias" disabled={versions.length < 2} onClick={() => setOpen('new')}>
        {t('newAlias')}
      </Button>
    </Can>
  )
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${list.length})`} description={t('aliasesText')} actions={make}>
          {t('aliases')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {list.length === 0 && (
          <Box color="text-body-secondary">{versions.length < 2 ? t('publishFirst') : t('noAliases')}</Box>
        )}
        {list.map(alias => (
          <div key={alias.name} className="fn-alias">
            <div>
              <Box variant="h4" tagOverride="h3">
                <span translate="no">{alias.name}</span>
              </Box>
              <SplitBar version={alias.version} additional={alias.additional} />
            </div>
            <Can call={aliasApi.updateAlias}>
              <SpaceBetween direction="horizontal" size="xs">
                <Button variant="inline-link" onClick={() => setOpen(alias)}>
                  {t('edit')}
                </Button>
                <Button variant="inline-link" data-action="delete-alias" onClick={() => setLeaving(alias.name)}>
                  {t('delete')}
                </Button>
              </SpaceBetween>
            </Can>
          </div>
        ))}
      </SpaceBetween>
      {leaving !== null && (
        <ConfirmByName
          title={t('deleteAliasTitle')}
          name={leaving}
          verb={t('delete')}
          isRunning={remove.isRunning}
          onConfirm={() => void remove.run({ params: { functionId, name: leaving } })}
          onCancel={() => setLeaving(null)}
        >
          {t('deleteAliasText')}
        </ConfirmByName>
      )}
      {open !== null && (
        <AliasDialog
          functionId={functionId}
          alias={open === 'new' ? null : open}
          versions={versions}
          onClose={() => setOpen(null)}
        />
      )}
    </Container>
  )
}
