import Button from '@cloudscape-design/components/button'
import type { KeyboardEvent } from 'react'
import { useFieldArray } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { shape, text } from '../../../../../kernel/shape.ts'
import { reviewDesk } from '../../desk/contract.ts'
import { actionOf, limits, type TaskFact, taskCycle, type Verdict } from '../../rules.ts'
import { desk, type IssueView, type PolicyView, type TaskView } from '../review-calls.ts'
import { IssueFields } from './IssueFields.tsx'
import { useDeskZone } from './use-desk-zone.ts'

interface VerdictFormProps {
  task: TaskView
  verdict: Verdict
  policies: readonly PolicyView[] | undefined
  onCancel: () => void
}

const { body } = reviewDesk.calls.submitTask
const withText = shape({ ...body.properties, text: text(limits.textLength, 1) }) as unknown as typeof body
const newIssue: IssueView = { policyId: '', severity: 'MUST_FIX', text: '', where: {} }

function needs(verdict: Verdict, fact: TaskFact): boolean {
  return taskCycle.moves.some(move => move.action === actionOf(verdict) && move.needs?.includes(fact))
}

/** An issue without the places left empty. */
function tidyIssue({ where = {}, ...issue }: IssueView): IssueView {
  const named = Object.entries(where).filter(([, value]) => value)
  return { ...issue, ...(named.length > 0 && { where: Object.fromEntries(named) }) }
}

/** What the verdict says; the life cycle decides what it must say. Ctrl and Enter send it. */
export function VerdictForm({ task, verdict, policies, onCancel }: VerdictFormProps) {
  const { t } = useTranslation('distribute/review')
  const { at } = useDeskZone()
  const { taskId } = task
  const mustSay = needs(verdict, 'hasText')
  const mustName = needs(verdict, 'hasIssues')
  const form = useContractForm(mustSay ? withText : body, {
    taskId,
    verdict,
    text: '',
    issues: mustName ? [newIssue] : [],
  })
  const issues = useFieldArray({ control: form.form.control, name: 'issues' as never })
  const act = useAction(desk.submitTask, {
    errors: 'form',
    onDone: () => notify({ tone: 'success', text: t(`said.${verdict}`, { app: task.appName }) }),
  })
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.currentTarget.querySelector('form')?.requestSubmit()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the form inside, which has its own button
    <div onKeyDown={keys} data-verdict={verdict}>
      <ContractFormBox
        of={form}
        action={act}
        submitLabel={t(`send.${verdict}`)}
        onCancel={onCancel}
        submit={values =>
          act.run(
            {
              body: {
                taskId,
                verdict,
                ...(values.text && { text: values.text }),
                ...(mustName && { issues: (values.issues ?? []).map(tidyIssue) }),
              },
            },
            at,
          )
        }
      >
        {mustName &&
          issues.fields.map((field, index) => (
            <IssueFields
              key={field.id}
              of={form}
              index={index}
              policies={policies}
              {...(issues.fields.length > 1 && { onRemove: () => issues.remove(index) })}
            />
          ))}
        {mustName && (
          <Button
            formAction="none"
            iconName="add-plus"
            disabled={issues.fields.length >= limits.issues}
            onClick={() => issues.append(newIssue as never)}
          >
            {t('issue.add')}
          </Button>
        )}
        <TextAreaField of={form} name="text" rows={4} label={t(`texts.${verdict}`)} hint={t('verdict.keys')} />
      </ContractFormBox>
    </div>
  )
}
