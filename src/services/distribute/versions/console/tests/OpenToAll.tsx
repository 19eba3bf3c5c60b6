import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { countryName } from '../../../../../console/shown.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { countryCodes } from '../../../../ground/regions/contract.ts'
import { versionTests } from '../../testing/contract.ts'
import { testLimits } from '../../testing/rules.ts'
import { InstantInput } from '../InstantInput.tsx'
import { type TestView, testsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'
import { usualEnd } from './test-words.ts'

/** An open test: until when, for how many devices, where. */
export function OpenToAll({ test, onClose }: { test: TestView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision } = test
  const form = useContractForm(versionTests.calls.openTest.body, {
    versionId,
    revision,
    endAt: usualEnd(),
    installLimit: test.installLimit ?? testLimits.installs,
    countries: test.countries,
  })
  const options = countryCodes.map(value => ({ value, label: countryName(value), description: value }))
  const act = useAction(testsApi.openTest, {
    errors: 'form',
    onDone: () => {
      notify({ tone: 'success', text: t('tests.done.review') })
      onClose()
    },
  })
  return (
    <Modal visible header={t('tests.openOf', { version: nameOf(test) })} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={({ countries = [], ...body }) =>
          act.run({ body: { ...body, ...(countries.length > 0 && { countries }) } })
        }
        submitLabel={t('tests.verbs.open')}
        onCancel={onClose}
      >
        <FormField of={form} name="endAt" label={t('tests.endAt')} hint={t('tests.endHint')}>
          {field => <InstantInput value={field.value as number | null} onChange={field.onChange} />}
        </FormField>
        <TextField of={form} name="installLimit" type="number" label={t('tests.limit')} hint={t('tests.limitHint')} />
        <FormField of={form} name="countries" label={t('countries.label')} hint={t('tests.countriesHint')}>
          {field => (
            <Multiselect
              options={options}
              selectedOptions={options.filter(one => ((field.value as string[]) ?? []).includes(one.value))}
              filteringType="auto"
              tokenLimit={8}
              placeholder={t('countries.placeholder')}
              onChange={({ detail }) => field.onChange(detail.selectedOptions.map(one => one.value ?? ''))}
            />
          )}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
