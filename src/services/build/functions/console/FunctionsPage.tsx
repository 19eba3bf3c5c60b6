import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { Can } from '../../../../console/Can.tsx'
import { DataTable } from '../../../../console/kit/DataTable.tsx'
import { DayBars } from '../../../../console/kit/DayBars.tsx'
import { useProject } from '../../../../console/kit/ProjectChoice.tsx'
import { ProjectPage } from '../../../../console/kit/ProjectPage.tsx'
import { StatusBadge } from '../../../../console/kit/StatusBadge.tsx'
import { useTableState } from '../../../../console/kit/table-state.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useCall } from '../../../../console/use-call.ts'
import { api, type FunctionView, projectsApi, type Summary, summaryApi } from './function-calls.ts'
import { NewFunctionDialog } from './NewFunctionDialog.tsx'

/** The functions of a project. */
export default function FunctionsPage() {
  const { t } = useTranslation('build/functions')
  const of = useProject(useCall(projectsApi.listProjects, { query: { pageSize: 100 } }), ['q', 'cursor'])
  return (
    <ProjectPage of={of} title={t('title')} text={t('text')}>
      {projectId => <OfProject projectId={projectId} />}
    </ProjectPage>
  )
}

function OfProject({ projectId }: { projectId: string }) {
  const { t } = useTranslation('build/functions')
  const [isMaking, setMaking] = useState(false)
  const table = useTableState({ id: 'functions' })
  const keyword = table.search ? { keyword: table.search } : {}
  const result = useCall(
    summaryApi.listSummaries,
    { query: { projectId, ...table.page, ...keyword } },
    { keepBefore: true, refetchInterval: 30_000 },
  )
  const runtimes = useCall(api.listRuntimes, {})
  const make = (
    <Can call={api.createFunction}>
      <Button variant="primary" data-action="create" onClick={() => setMaking(true)}>
        {t('new')}
      </Button>
    </Can>
  )
  const actions = (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href={hrefOf('/function-groups', {}, { projectId })}>{t('groups.title')}</Button>
      <Button href={hrefOf('/function-layers', {}, { projectId })}>{t('layers.title')}</Button>
      {make}
    </SpaceBetween>
  )
  const why = runtimes.data?.isolation
  const labelOf = (id: string) => runtimes.data?.runtimes.find(one => one.id === id)?.label ?? id
  return (
    <SpaceBetween size="l">
      {why && !why.isThere && (
        <Alert type="warning" header={t('noWalls')}>
          {t('noWallsText')} <code translate="no">apt-get install bubblewrap</code>
        </Alert>
      )}
      <DataTable
        title={t('functions')}
        table={table}
        result={result}
        rowKey={row => row.function.functionId}
        rowName={row => row.function.functionName}
        searchLabel={t('search')}
        empty={{ title: t('empty'), text: t('emptyText'), action: make }}
        actions={actions}
        columns={[
          {
            id: 'name',
            header: t('name'),
            isName: true,
            minWidth: 200,
            cell: row => <Name row={row.function} projectId={projectId} />,
          },
          { id: 'runtime', header: t('runtime'), width: 130, cell: row => labelOf(row.function.config.runtime) },
          { id: 'calls', header: t('dayCalls'), width: 220, cell: row => <Called row={row} /> },
          {
            id: 'memory',
            header: t('memory'),
            width: 120,
            cell: row => t('mb', { value: row.function.config.memoryMb }),
          },
          {
            id: 'version',
            header: t('version'),
            width: 190,
            cell: ({ function: { hasChanges, latestRevision: version } }) =>
              hasChanges ? (
                <StatusBadge tone="caution" text={version === 0 ? t('neverPublished') : t('changed', { version })} />
              ) : (
                <StatusBadge tone="good" text={t('published', { version })} />
              ),
          },
          {
            id: 'state',
            header: t('state'),
            width: 130,
            cell: ({ function: { isEnabled } }) => (
              <StatusBadge tone={isEnabled ? 'good' : 'off'} text={isEnabled ? t('on') : t('off')} />
            ),
          },
          { id: 'updated', header: t('updated'), width: 170, cell: row => <When at={row.function.updatedAt} /> },
        ]}
      />
      {isMaking && <NewFunctionDialog projectId={projectId} onClose={() => setMaking(false)} />}
    </SpaceBetween>
  )
}

function Name({ row, projectId }: { row: FunctionView; projectId: string }) {
  return (
    <div translate="no">
      <Link href={hrefOf('/functions/$functionId', { functionId: row.functionId }, { projectId })}>
        {row.functionName}
      </Link>
      {row.description !== '' && <div className="lg-quiet">{row.description}</div>}
    </div>
  )
}

/** The calls of a day by the hour, and how many of them failed. */
function Called({ row: { calls, failures, byHour } }: { row: Summary }) {
  const { t } = useTranslation('build/functions')
  const text = t('called', { count: calls })
  return (
    <>
      <DayBars counts={byHour} label={text} />
      <div className="lg-quiet">
        {text}
        {failures > 0 && ` · ${t('failed', { count: failures })}`}
      </div>
    </>
  )
}
