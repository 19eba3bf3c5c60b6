import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Select from '@cloudscape-design/components/select'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../console/Can.tsx'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { may } from '../../../../console/session.ts'
import { useAction } from '../../../../console/use-action.ts'
import { PaperFields } from './PaperFields.tsx'
import { draftsOf, isWhole, newDraft, type PaperDraft, toGiven } from './paper-draft.ts'
import { api, type DefView, type TagView, type TaskView } from './qualification-calls.ts'
import { countryNames, paperName, worded } from './qualification-words.ts'

interface PapersDialogProps {
  appId: string
  tag: TagView
  /** The one that is changed; null for a new one. */
  task: TaskView | null
  defs: readonly DefView[]
  onClose: () => void
}

/** Puts the papers of a category together and hands them in. */
export function PapersDialog({ appId, tag, task, defs, onClose }: PapersDialogProps) {
  const { t } = useTranslation('distribute/qualification')
  const [drafts, setDrafts] = useState(() => draftsOf(task))
  const [isSubmitted, setSubmitted] = useState(() => may('qualification.submit'))
  const create = useAction(api.createTasks, { errors: 'form', onDone: onClose })
  const update = useAction(api.updateTask, { errors: 'form', onDone: onClose })
  const error = create.error ?? update.error
  const change = (code: string, part: (before: PaperDraft) => Partial<PaperDraft>) =>
    setDrafts(all => all.map(one => (one.qualificationCode === code ? { ...one, ...part(one) } : one)))

  const isThere = (code: string) => drafts.some(one => one.qualificationCode === code)
  const options = tag.requirements.map(({ countries, sets }) => ({
    label: countryNames(countries),
    options: [...new Set(sets.flat())]
      .filter(code => !isThere(code))
      .map(code => ({ value: code, label: paperName(defs, code) })),
  }))
  const add = (code: string | undefined) => {
    const def = defs.find(one => one.qualificationCode === code)
    if (def) setDrafts(all => [...all, newDraft(def)])
  }
  const send = () => {
    const qualificationInfos = drafts.map(toGiven)
    if (task) {
      const { taskId, revision } = task
      return void update.run({ body: { taskId, qualificationInfos, submit: isSubmitted, revision } })
    }
    return void create.run({
      body: { appId, tags: [{ tagId: tag.tagId, qualificationInfos }], submit: isSubmitted },
    })
  }
  return (
    <DialogBox
      title={t('dialog.title', { tag: worded(tag.tagName) })}
      verb={t(isSubmitted ? 'actions.submit' : 'action.save')}
      action="handIn"
      size="large"
      isRunning={create.isRunning || update.isRunning}
      canSubmit={drafts.length > 0 && drafts.every(isWhole)}
      refusal={error && errorText(error)}
      onSubmit={send}
      onClose={onClose}
    >
      {drafts.map(draft => {
        const code = draft.qualificationCode
        const def = defs.find(one => one.qualificationCode === code)
        return (
          def && (
            <PaperFields
              key={code}
              draft={draft}
              def={def}
              onChange={part => change(code, () => part)}
              onAdd={file => change(code, before => ({ files: [...before.files, file] }))}
              onRemove={() => setDrafts(all => all.filter(one => one !== draft))}
            />
          )
        )
      })}
      <FormField label={t('dialog.add')}>
        <Select
          selectedOption={null}
          options={options.filter(group => group.options.length > 0)}
          placeholder={t('dialog.choose')}
          empty={t('dialog.allThere')}
          expandToViewport
          onChange={({ detail }) => add(detail.selectedOption.value)}
        />
      </FormField>
      <Can call={api.updateTaskStatus}>
        <Checkbox checked={isSubmitted} onChange={({ detail }) => setSubmitted(detail.checked)}>
          {t('dialog.submit')}
        </Checkbox>
      </Can>
    </DialogBox>
  )
}
