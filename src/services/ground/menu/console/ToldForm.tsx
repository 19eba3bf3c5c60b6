import Modal from '@cloudscape-design/components/modal'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import type { ContractForm } from '../../../../console/kit/contract-form.ts'
import { LanguageTabs } from '../../../../console/kit/LanguageTabs.tsx'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { type Language, languages } from '../../../../console/language.ts'
import type { Action } from '../../../../console/use-action.ts'
import type { CallSpec } from '../../../../kernel/contract.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { InstantChoice } from './InstantChoice.tsx'
import { languageWord, useLanguage } from './shown-language.ts'
import { ZoneChoice } from './ZoneChoice.tsx'

const noWords: Record<Language, string> = { zh: '', en: '', ru: '' }

interface Told {
  title: Record<Language, string>
  text: Record<Language, string>
  href: string
  zones: ZoneId[]
  startAt: number | null
  endAt: number | null
}

/** The values such a form begins with: those of the row, or none. */
export function toldValues(row: (Omit<Told, 'href'> & { href: string | null }) | null, href = ''): Told {
  return {
    title: row?.title ?? noWords,
    text: row?.text ?? noWords,
    href: row?.href ?? href,
    zones: row?.zones ?? [],
    startAt: row?.startAt ?? null,
    endAt: row?.endAt ?? null,
  }
}

interface ToldFormProps<V extends FieldValues> {
  header: string
  of: ContractForm<V>
  action: Pick<Action<CallSpec>, 'isRunning' | 'error'>
  submit: (values: V) => unknown
  onClose: () => void
  /** What the text is called, and how high it is; one row is a line. */
  text: { label: string; rows: number; isNeeded: boolean }
  hints: { startAt: string; endAt: string }
  /** Fields before the words, after the link, and at the end. */
  before?: ReactNode
  between?: ReactNode
  after: ReactNode
}

/** What the operator tells people, an announcement as well as a slot: words in three languages, a link, where and when. */
export function ToldForm<V extends FieldValues>(props: ToldFormProps<V>) {
  const { header, of, action, submit, onClose, text, hints, before, between, after } = props
  const { t } = useTranslation('ground/menu')
  const own = useLanguage()
  const told = of as unknown as ContractForm<Told>
  const { watch, setValue, formState } = told.form
  const values = watch()
  const TextOf = text.rows > 1 ? TextAreaField : TextField
  return (
    <Modal visible size="large" header={header} onDismiss={onClose}>
      <ContractFormBox of={of} action={action} submit={submit} submitLabel={t('action.save')} onCancel={onClose}>
        {before}
        <LanguageTabs
          label={t('write.languages')}
          languages={languages.map(language => ({
            key: language,
            name: languageWord(language, own),
            isDefault: language === own,
            isFilled: values.title[language] !== '' && (!text.isNeeded || values.text[language] !== ''),
            hasError: Boolean(formState.errors.title?.[language] ?? formState.errors.text?.[language]),
          }))}
        >
          {language => (
            <div className="menu-lines" lang={language === own ? undefined : language}>
              <TextField of={told} name={`title.${language as Language}`} label={t('write.title')} />
              <TextOf of={told} name={`text.${language as Language}`} label={text.label} rows={text.rows} />
            </div>
          )}
        </LanguageTabs>
        <TextField of={told} name="href" label={t('write.link')} hint={t('write.linkHint')} />
        {between}
        <ZoneChoice value={values.zones} onChange={zones => setValue('zones', zones)} />
        {(['startAt', 'endAt'] as const).map(name => (
          <InstantChoice
            key={name}
            label={t(`write.${name}`)}
            hint={hints[name]}
            value={values[name]}
            onChange={at => setValue(name, at)}
          />
        ))}
        {after}
      </ContractFormBox>
    </Modal>
  )
}
