import Modal from '@cloudscape-design/components/modal'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { LanguageTabs } from '../../../../console/kit/LanguageTabs.tsx'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { languages } from '../../../../console/language.ts'
import { useAction } from '../../../../console/use-action.ts'
import { announcements } from '../announcements/contract.ts'
import { announcementKinds } from '../rules.ts'
import { InstantChoice } from './InstantChoice.tsx'
import { news, type WrittenView } from './menu-calls.ts'
import { languageWord, useLanguage } from './shown-language.ts'
import { ZoneChoice } from './ZoneChoice.tsx'

const empty = { zh: '', en: '', ru: '' }

/** Writes an announcement in three languages, or changes one. */
export function AnnouncementForm({ row, onClose }: { row: WrittenView | null; onClose: () => void }) {
  const { t } = useTranslation('ground/menu')
  const own = useLanguage()
  const form = useContractForm(announcements.calls.writeAnnouncement.body, {
    kind: row?.kind ?? 'news',
    title: row?.title ?? empty,
    text: row?.text ?? empty,
    href: row?.href ?? '',
    isBanner: row?.isBanner ?? true,
    zones: row?.zones ?? [],
    startAt: row?.startAt ?? null,
    endAt: row?.endAt ?? null,
  })
  const write = useAction(news.writeAnnouncement, { onDone: onClose, errors: 'form' })
  const update = useAction(news.updateAnnouncement, { onDone: onClose, errors: 'form' })
  const { watch, setValue, formState } = form.form
  const values = watch()

  return (
    <Modal visible size="large" header={row ? t('write.change') : t('write.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={row ? update : write}
        submit={body =>
          row
            ? update.run({
                params: { announcementId: row.announcementId },
                body: { ...body, revision: row.revision },
              })
            : write.run({ body })
        }
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <SelectField
          of={form}
          name="kind"
          label={t('announcements.kind')}
          options={announcementKinds.map(kind => ({ value: kind, label: t(`kinds.${kind}`) }))}
        />
        <LanguageTabs
          label={t('write.languages')}
          languages={languages.map(language => ({
            key: language,
            name: languageWord(language, own),
            isDefault: language === own,
            isFilled: values.title[language] !== '' && values.text[language] !== '',
            hasError: Boolean(formState.errors.title?.[language] ?? formState.errors.text?.[language]),
          }))}
        >
          {language => (
            <div className="menu-lines" lang={language === own ? undefined : language}>
              <TextField of={form} name={`title.${language}` as 'title.en'} label={t('write.title')} />
              <TextAreaField of={form} name={`text.${language}` as 'text.en'} label={t('write.text')} rows={6} />
            </div>
          )}
        </LanguageTabs>
        <TextField of={form} name="href" label={t('write.link')} hint={t('write.linkHint')} />
        <ZoneChoice value={values.zones} onChange={zones => setValue('zones', zones)} />
        <InstantChoice
          label={t('write.startAt')}
          hint={t('write.startHint')}
          value={values.startAt}
          onChange={at => setValue('startAt', at)}
        />
        <InstantChoice
          label={t('write.endAt')}
          hint={t('write.endHint')}
          value={values.endAt}
          onChange={at => setValue('endAt', at)}
        />
        <Toggle checked={values.isBanner} onChange={({ detail }) => setValue('isBanner', detail.checked)}>
          {t('write.isBanner')}
        </Toggle>
      </ContractFormBox>
    </Modal>
  )
}
