import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogBox } from '../../../../../console/kit/DialogBox.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { limits } from '../../rules.ts'
import { moves, type TaskView } from '../review-calls.ts'
import { refusalText } from '../review-words.ts'
import { useDeskZone } from './use-desk-zone.ts'

/** Says how urgent a task is. */
export function PriorityButton({ task }: { task: TaskView }) {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const [value, setValue] = useState<string | null>(null)
  const act = useAction(moves.updatePriority, { errors: 'form', onDone: () => setValue(null) })
  const priority = Number(value)
  const isRight = /^[0-9]{1,4}$/.test(value ?? '') && priority <= limits.priority
  return (
    <>
      <Button data-control="priority" onClick={() => setValue(String(task.priority))}>
        {t('priority.set')}
      </Button>
      {value !== null && (
        <DialogBox
          title={t('priority.set')}
          isRunning={act.isRunning}
          canSubmit={isRight}
          refusal={act.error && refusalText(act.error)}
          onSubmit={() => void act.run({ body: { taskId: task.taskId, priority } }, at)}
          onClose={() => setValue(null)}
        >
          <FormField label={t('task.priority')} constraintText={t('priority.hint', { most: limits.priority })}>
            <Input value={value} inputMode="numeric" onChange={({ detail }) => setValue(detail.value)} />
          </FormField>
        </DialogBox>
      )}
    </>
  )
}
