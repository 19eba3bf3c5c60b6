import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { api, type DefView, type TagView, type TaskView } from './qualification-calls.ts'
import { countryNames, eitherOf, paperName, worded } from './qualification-words.ts'
import { TaskBox } from './TaskBox.tsx'

interface TagPanelProps {
  tag: TagView
  /** The newest first. */
  tasks: readonly TaskView[]
  defs: readonly DefView[]
  onOpen: (task: TaskView | null) => void
}

const openStates = ['TO_SUBMIT', 'WAITING', 'FAILED']

/** One category: where it needs what, and the papers handed in for it. */
export function TagPanel({ tag, tasks, defs, onOpen }: TagPanelProps) {
  const { t } = useTranslation('distribute/qualification')
  const canBegin = tag.requirements.length > 0 && !tasks.some(task => openStates.includes(task.state))
  const isPassed = tasks.some(task => task.state === 'PASSED')
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={t(tag.isMainTag === null ? 'tag.former' : tag.isMainTag ? 'tag.main' : 'tag.sub')}
          actions={
            canBegin && (
              <Can call={api.createTasks}>
                <Button
                  data-action="createTasks"
                  variant={isPassed ? 'normal' : 'primary'}
                  onClick={() => onOpen(null)}
                >
                  {t(isPassed ? 'tag.renew' : 'tag.handIn')}
                </Button>
              </Can>
            )
          }
        >
          {worded(tag.tagName)}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {tag.requirements.length > 0 && (
          <ul className="qual-needs">
            {tag.requirements.map(({ countries, sets }) => (
              <li key={countries.join()}>
                <strong>{countryNames(countries)}</strong>
                <ul>
                  {sets.map(set => (
                    <li key={set.join()}>{eitherOf(set.map(code => paperName(defs, code)))}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        )}
        {tasks.map(task => (
          <TaskBox key={task.taskId} task={task} defs={defs} onEdit={() => onOpen(task)} />
        ))}
      </SpaceBetween>
    </Container>
  )
}
