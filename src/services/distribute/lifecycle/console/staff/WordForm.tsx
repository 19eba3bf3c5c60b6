import Modal from '@cloudscape-design/components/modal'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { lifecycleDesk } from '../../desk/contract.ts'
import { wordLanguages, wordTopics } from '../../rules.ts'
import { deskApi, type WordView } from '../lifecycle-calls.ts'

const empty = {
  language: 'all' as const,
  word: '',
  topic: 'banned' as const,
  level: 'WARN' as const,
  isOff: false,
  note: '',
}

/** A word of the list, or a new one. */
export function WordForm({ word, onClose }: { word: WordView | null; onClose: () => void }) {
  const { t } = useTranslation('distribute/lifecycle')
  const { updatedAt: _at, ...known } = word ?? { ...empty, updatedAt: 0 }
  const form = useContractForm(lifecycleDesk.calls.saveWord.body, known)
  const act = useAction(deskApi.saveWord, { errors: 'form', onDone: onClose })
  return (
    <Modal visible header={word ? t('words.edit') : t('words.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('save')}
        onCancel={onClose}
      >
        <TextField of={form} name="word" label={t('words.word')} />
        <SelectField
          of={form}
          name="language"
          label={t('text.language')}
          options={wordLanguages.map(value => ({ value, label: t(`languages.${value}`) }))}
        />
        <SelectField
          of={form}
          name="topic"
          label={t('words.topic')}
          options={wordTopics.map(value => ({ value, label: t(`topics.${value}`) }))}
        />
        <SelectField
          of={form}
          name="level"
          label={t('detect.verdict')}
          options={(['BLOCK', 'WARN'] as const).map(value => ({ value, label: t(`verdicts.${value}`) }))}
        />
        <TextField of={form} name="note" label={t('words.note')} />
        <FormField of={form} name="isOff" label={t('words.turnOff')}>
          {field => (
            <Toggle checked={field.value === true} onChange={({ detail }) => field.onChange(detail.checked)}>
              {t('words.turnOffText')}
            </Toggle>
          )}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
