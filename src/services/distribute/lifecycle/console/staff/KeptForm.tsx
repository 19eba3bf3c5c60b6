import DatePicker from '@cloudscape-design/components/date-picker'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import Toggle from '@cloudscape-design/components/toggle'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { lifecycleDesk } from '../../desk/contract.ts'
import type { KeptKind } from '../../rules.ts'
import { deskApi, type RowView } from '../lifecycle-calls.ts'

const languages = ['zh', 'en', 'ru'] as const
const nothing = { zh: '', en: '', ru: '' }
const dayOf = (instant: number | null | undefined) => (instant ? new Date(instant).toISOString().slice(0, 10) : '')
const instantOf = (day: string) => (/^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : null)

/** A row for developers, in all three languages. */
export function KeptForm({ kind, row, onClose }: { kind: KeptKind; row: RowView | null; onClose: () => void }) {
  const { t } = useTranslation('distribute/lifecycle')
  const form = useContractForm(lifecycleDesk.calls.saveRow.body, {
    ...(row && { rowId: row.rowId, revision: row.revision }),
    kind,
    titles: row?.titles ?? nothing,
    texts: row?.texts ?? nothing,
    link: row?.link ?? '',
    countries: row?.countries ?? [],
    kindTags: row?.kindTags ?? [],
    startAt: row?.startAt ?? null,
    endAt: row?.endAt ?? null,
    place: row?.place ?? 0,
    isShown: row?.isShown ?? true,
  })
  const act = useAction(deskApi.saveRow, { errors: 'form', onDone: onClose })
  const isDated = kind === 'VANTEST'
  return (
    <Modal visible size="large" header={row ? t('kept.edit') : t('kept.new')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => act.run({ body })}
        submitLabel={t('save')}
        onCancel={onClose}
      >
        {languages.map(language => (
          <TextField
            key={language}
            of={form}
            name={`titles.${language}`}
            label={t('kept.titleIn', { language: t(`languages.${language}`) })}
          />
        ))}
        {languages.map(language => (
          <TextAreaField
            key={language}
            of={form}
            name={`texts.${language}`}
            rows={3}
            label={t('kept.textIn', { language: t(`languages.${language}`) })}
          />
        ))}
        <TextField of={form} name="link" label={t('kept.link')} />
        {kind === 'COPYRIGHT' && (
          <FormField of={form} name="countries" label={t('kept.countries')} hint={t('kept.countriesHint')}>
            {field => (
              <Input
                value={(field.value as string[]).join(' ')}
                onChange={({ detail }) =>
                  field.onChange(
                    detail.value
                      .toUpperCase()
                      .split(/[\s,]+/)
                      .filter(Boolean),
                  )
                }
              />
            )}
          </FormField>
        )}
        {isDated &&
          (['startAt', 'endAt'] as const).map(name => (
            <FormField key={name} of={form} name={name} label={t(`kept.${name}`)}>
              {field => (
                <DatePicker
                  value={dayOf(field.value as number | null)}
                  placeholder={t('kept.day')}
                  openCalendarAriaLabel={() => t(`kept.${name}`)}
                  onChange={({ detail }) => field.onChange(instantOf(detail.value))}
                />
              )}
            </FormField>
          ))}
        <FormField of={form} name="place" label={t('kept.place')}>
          {field => (
            <Input
              value={String(field.value)}
              inputMode="numeric"
              onChange={({ detail }) => field.onChange(Number(detail.value.replace(/\D/g, '')))}
            />
          )}
        </FormField>
        <FormField of={form} name="isShown" label={t('kept.show')}>
          {field => (
            <Toggle checked={field.value === true} onChange={({ detail }) => field.onChange(detail.checked)}>
              {t('kept.showText')}
            </Toggle>
          )}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
