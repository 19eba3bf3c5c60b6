import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { SelectField } from '../../../../console/kit/SelectField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { notify } from '../../../../console/notify.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { listingLanguages } from '../contract.ts'
import { limits } from '../rules.ts'
import { type AppView, api } from './app-calls.ts'
import { kindName, languageName } from './app-words.ts'
import { DeviceChoice } from './DeviceChoice.tsx'
import { EditedApp, editDefaults, editOf } from './edit-app.ts'
import { KindField } from './KindField.tsx'
import { kindGroups } from './kind-groups.ts'

export function EditApp({ app, onClose }: { app: AppView; onClose: () => void }) {
  const { t } = useTranslation('distribute/apps')
  const form = useContractForm(EditedApp, editDefaults(app))
  const kinds = useCall(api.listKinds, {}, { staleTime: 3_600_000 }).data?.list ?? []
  const act = useAction(api.updateApp, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('edit.done', { name: app.name }) })
      onClose()
    },
  })
  return (
    <Modal visible size="large" header={t('edit.title', { name: app.name })} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={() => act.run({ body: editOf(form.form.getValues()) })}
        submitLabel={t('action.save')}
        onCancel={onClose}
      >
        <SelectField
          of={form}
          name="defaultLang"
          label={t('app.defaultLang')}
          options={listingLanguages.map(key => ({ value: key, label: languageName(key) }))}
        />
        <KindField of={form} name="kindMainTag" isGame={app.isGame} />
        <FormField
          of={form}
          name="kindSubTags"
          label={t('edit.subTags')}
          hint={t('edit.subTagsHint', { count: limits.subTags })}
        >
          {field => (
            <Multiselect
              ref={field.ref}
              selectedOptions={kinds
                .filter(kind => (field.value as number[]).includes(kind.id))
                .map(kind => ({ value: String(kind.id), label: kindName(kind) }))}
              options={kindGroups(kinds, app.isGame)}
              filteringType="auto"
              placeholder={t('new.kindChoose')}
              onBlur={field.onBlur}
              onChange={({ detail }) =>
                field.onChange(detail.selectedOptions.slice(0, limits.subTags).map(one => Number(one.value)))
              }
            />
          )}
        </FormField>
        <DeviceChoice of={form} name="deviceTypes" />
        <TextField of={form} name="developerNameCn" label={t('edit.developerCn')} />
        <TextField of={form} name="developerNameEn" label={t('edit.developerEn')} />
        <TextField of={form} name="developerWebsite" label={t('app.website')} placeholder="https://" />
        <TextField of={form} name="contact.email" label={t('edit.email')} inputMode="email" />
        <TextField of={form} name="contact.phone" label={t('edit.phone')} inputMode="tel" />
      </ContractFormBox>
    </Modal>
  )
}
