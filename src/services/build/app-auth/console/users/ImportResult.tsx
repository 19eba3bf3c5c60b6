import Alert from '@cloudscape-design/components/alert'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { queryClient, useCall } from '../../../../../console/use-call.ts'
import { importApi, usersApi } from '../auth-calls.ts'

const failuresShown = 100

/** How far an import is, and at its end which rows were not taken. */
export function ImportResult({ projectId, importId }: { projectId: string; importId: string }) {
  const { t } = useTranslation('build/app-auth')
  const [isOver, setOver] = useState(false)
  const query = { projectId, importId, pageSize: failuresShown }
  const found = useCall(importApi.getImport, { query }, { enabled: isOver, staleTime: 0 })
  const over = () => {
    setOver(true)
    void queryClient.invalidateQueries({ queryKey: [usersApi.listUsers.service, usersApi.listUsers.callName] })
  }
  const done = found.data?.import
  return (
    <SpaceBetween size="m">
      <ProgressOfJob
        label={t('import.working')}
        call={importApi.getImport}
        input={{ query }}
        read={({ import: one }) => ({
          state: one.state === 'DONE' ? 'done' : one.state === 'FAILED' ? 'failed' : 'running',
          percent: one.total === 0 ? null : Math.floor((one.doneRows / one.total) * 100),
          text: t('import.rows', { done: one.doneRows, count: one.total }),
        })}
        onDone={over}
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
