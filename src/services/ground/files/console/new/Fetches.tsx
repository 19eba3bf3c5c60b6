import Button from '@cloudscape-design/components/button'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ProgressOfJob } from '../../../../../console/kit/ProgressOfJob.tsx'
import { currentTeamId, projectZone } from '../../../../../console/session.ts'
import { queryClient } from '../../../../../console/use-call.ts'
import { api, taskCalls } from '../file-calls.ts'
import { taskErrorText } from '../file-words.ts'
import { fetches } from './fetches.ts'

/** What is being fetched in this zone, each with its bar and, in the end, with what became of it. */
export function Fetches() {
  const { t } = useTranslation('ground/files')
  const all = useSyncExternalStore(fetches.subscribe, fetches.get)
  const here = all.filter(one => one.teamId === currentTeamId() && one.zone === projectZone.get())
  if (here.length === 0) return null
  const drop = (taskId: string) => fetches.set(fetches.get().filter(one => one.taskId !== taskId))
  return (
    <ul className="files-fetches">
      {here.map(({ taskId, name }) => (
        <li key={taskId}>
          <div className="files-fetch">
            <ProgressOfJob
              label={name}
              call={taskCalls.getFetched}
              input={{ query: { taskId } }}
              read={task => ({
                state: task.state === 'DONE' ? 'done' : task.state === 'FAILED' ? 'failed' : 'running',
                percent: task.percent,
                ...(task.error && { text: taskErrorText(task.error) }),
              })}
              onDone={() =>
                void queryClient.invalidateQueries({
                  predicate: query => query.queryKey[1] === api.listObjects.callName,
                })
              }
            />
          </div>
          <Button variant="icon" iconName="close" ariaLabel={t('fetch.drop', { name })} onClick={() => drop(taskId)} />
        </li>
      ))}
    </ul>
  )
}
