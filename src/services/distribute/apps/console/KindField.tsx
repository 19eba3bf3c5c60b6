import Select from '@cloudscape-design/components/select'
import type { FieldValues, Path } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { api } from './app-calls.ts'
import { kindName } from './app-words.ts'
import { kindGroups } from './kind-groups.ts'

interface KindFieldProps<V extends FieldValues> {
  of: ContractForm<V>
  name: Path<V>
  isGame: boolean
  zone?: ZoneId
  hint?: string
}

/** The main category: tags grouped by what they stand under, found by typing. */
export function KindField<V extends FieldValues>({ of, name, isGame, zone, hint }: KindFieldProps<V>) {
  const { t } = useTranslation('distribute/apps')
  const kinds = useCall(api.listKinds, {}, { staleTime: 3_600_000, ...(zone && { zone }) })
  const list = kinds.data?.list ?? []
  return (
    <FormField of={of} name={name} label={t('app.kind')} hint={hint}>
      {field => {
        const chosen = list.find(kind => kind.id === field.value)
        return (
          <Select
            ref={field.ref}
            selectedOption={chosen ? { value: String(chosen.id), label: kindName(chosen) } : null}
            options={kindGroups(list, isGame)}
            placeholder={t('new.kindChoose')}
            filteringType="auto"
            statusType={kinds.isPending ? 'loading' : kinds.error ? 'error' : 'finished'}
            onBlur={field.onBlur}
            onChange={({ detail }) => field.onChange(Number(detail.selectedOption.value))}
          />
        )
      }}
    </FormField>
  )
}
