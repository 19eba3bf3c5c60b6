import Modal from '@cloudscape-design/components/modal'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { LanguageTabs } from '../../../../console/kit/LanguageTabs.tsx'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { languages } from '../../../../console/language.ts'
import { useAction } from '../../../../console/use-action.ts'
import { billboard } from '../billboard/contract.ts'
import { InstantChoice } from './InstantChoice.tsx'
import { board, type SlotView } from './menu-calls.ts'
import { languageWord, useLanguage } from './shown-language.ts'
import { ZoneChoice } from './ZoneChoice.tsx'

const empty = { zh: '', en: '', ru: '' }
const tones = ['blue', 'green', 'amber', 'grey'] as const

/** Makes a slot of the billboard, or changes one. */
export function SlotForm({ row, onClose }: { row: SlotView | null; onClose: () => void }) {
  const { t } = useTranslation('ground/menu')
  const own = useLanguage()
  const form = useContractForm(billboard.calls.createSlot.body, {
    title: row?.title ?? empty,
    text: row?.text ?? empty,
    href: row?.href ?? '#/services',
    tone: row?.tone ?? 'blue',
    weight: row?.weight ?? 10,
    zones: row?.zones ?? [],
    isOn: row?.isOn ?? true,
    startAt: row?.startAt ?? null,
    endAt: row?.endAt ?? null,
  })
  const create = useAction(board.createSlot, { onDone: onClose, errors: 'form' })
  const update = useAction(board.updateSlot, { onDone: onClose, errors: 'form' })
  const { watch, setValue, formState } = form.form
  const values = watch()

  return (
    <Modal visible size="large" header={row ? t('slots.change') : t('slots.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={row ? update : create}
        submit={body =>
          row
            ? update.run({ params: { slotId: row.slotId }, body: { ...body, revision: row.revision } })
            : create.run({ body })
        }
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <LanguageTabs
          label={t('write.languages')}
          languages={languages.map(language => ({
            key: language,
            name: languageWord(language, own),
            isDefault: language === own,
            isFilled: values.title[language] !== '',
            hasError: Boolean(formState.errors.title?.[language] ?? formState.errors.text?.[language]),
          }))}
        >
          {language => (
            <div className="menu-lines">
              <TextField of={form} name={`title.${language}` as 'title.en'} label={t('write.title')} />
              <TextField of={form} name={`text.${language}` as 'text.en'} label={t('slots.line')} />
            </div>
          )}
        </LanguageTabs>
        <TextField of={form} name="href" label={t('write.link')} hint={t('write.linkHint')} />
        <SelectField
          of={form}
          name="tone"
          label={t('slots.tone')}
          options={tones.map(tone => ({ value: tone, label: t(`tones.${tone}`) }))}
        />
        <TextField of={form} name="weight" type="number" label={t('slots.weight')} hint={t('slots.weightHint')} />
        <ZoneChoice value={values.zones} onChange={zones => setValue('zones', zones)} />
        <InstantChoice
          label={t('write.startAt')}
          hint={t('slots.startHint')}
          value={values.startAt}
          onChange={at => setValue('startAt', at)}
        />
        <InstantChoice
          label={t('write.endAt')}
          hint={t('slots.endHint')}
          value={values.endAt}
          onChange={at => setValue('endAt', at)}
        />
        <Toggle checked={values.isOn} onChange={({ detail }) => setValue('isOn', detail.checked)}>
          {t('slots.isOn')}
        </Toggle>
      </ContractFormBox>
    </Modal>
  )
}
