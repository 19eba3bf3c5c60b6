import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { type JobView, ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { queryClient, useCall } from '../../../../../console/use-call.ts'
import { useEndOfJob } from '../../../../../console/use-end-of-job.ts'
import type { ImportView } from '../../imports/contract.ts'
import { importApi, usersApi } from '../auth-calls.ts'

const failuresShown = 100
const states: Record<ImportView['state'], JobView['state']> = {
  ...{ FILLING: 'waiting', RUNNING: 'running', DONE: 'done', FAILED: 'failed' },
}

/** How far an import is, and at its end which rows were not taken. */
export function ImportResult({ projectId, importId }: { projectId: string; importId: string }) {
  const { t } = useTranslation('build/app-auth')
  const query = { projectId, importId, pageSize: failuresShown }
  const found = useCall(importApi.getImport, { query })
  const state = found.data && states[found.data.import.state]
  useEndOfJob(importId, state, () => {
    void queryClient.invalidateQueries({ queryKey: [usersApi.listUsers.service, usersApi.listUsers.callName] })
  })
  const done = state === 'done' || state === 'failed' ? found.data?.import : undefined
  return (
    <SpaceBetween size="m">
      <ProgressOfJob
        label={t('import.working')}
        call={importApi.getImport}
        input={{ query }}
        read={({ import: one }) => ({
          state: states[one.state],
          percent: one.total === 0 ? null : Math.floor((one.doneRows / one.total) * 100),
          text: t('import.rows', { done: one.doneRows, count: one.total }),
        })}
      />
      {done && (
        <Alert type={done.state === 'FAILED' ? 'error' : done.failed > 0 ? 'warning' : 'success'}>
          {t(done.isDryRun ? 'import.wouldBe' : 'import.was', {
            made: done.made,
            merged: done.merged,
            failed: done.failed,
          })}
          {(found.data?.list.length ?? 0) > 0 && (
            <ul>
              {found.data?.list.map(one => (
                <li key={one.index}>
                  {t('import.row', { row: one.index + 1 })}: {t(`faults.${one.code}`)}
                </li>
              ))}
            </ul>
          )}
        </Alert>
      )}
    </SpaceBetween>
  )
}
