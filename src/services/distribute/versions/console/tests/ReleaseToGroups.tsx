import Checkbox from '@cloudscape-design/components/checkbox'
import Link from '@cloudscape-design/components/link'
import Modal from '@cloudscape-design/components/modal'
import Multiselect from '@cloudscape-design/components/multiselect'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../../console/kit/FormField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { versionTests } from '../../testing/contract.ts'
import { InstantInput } from '../InstantInput.tsx'
import { groupsApi, type TestView, testsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'
import { usualEnd } from './test-words.ts'

/** Which groups get the test, until when, and whether they are mailed. */
export function ReleaseToGroups({ test, onClose }: { test: TestView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision, appId } = test
  const form = useContractForm(versionTests.calls.releaseTest.body, {
    versionId,
    revision,
    groupIds: test.groups.map(group => group.groupId),
    endAt: usualEnd(),
    notify: true,
  })
  const found = useCall(groupsApi.listGroups, { query: { appId, pageSize: 100 } })
  const options = (found.data?.list ?? []).map(group => ({
    value: group.groupId,
    label: group.name,
    description: `${t(`testers.kinds.${group.kind}`)} · ${t('testers.people', { count: group.count })}`,
  }))
  const act = useAction(testsApi.releaseTest, {
    errors: 'form',
    onDone: ({ state }) => {
      notify({ tone: 'success', text: t(`tests.done.${state === 'IN_REVIEW' ? 'review' : 'release'}`) })
      onClose()
    },
  })
  return (
    <Modal visible header={t('tests.releaseOf', { version: nameOf(test) })} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submit={body => {
          if (body.groupIds.length === 0) return form.form.setError('groupIds', { message: t('tests.noGroups') })
          return act.run({ body })
        }}
        submitLabel={t('tests.verbs.release')}
        onCancel={onClose}
      >
        <FormField of={form} name="groupIds" label={t('tests.groups')} hint={t('tests.groupsHint')}>
          {field => (
            <Multiselect
              options={options}
              selectedOptions={options.filter(one => (field.value as string[]).includes(one.value))}
              placeholder={t('tests.chooseGroups')}
              statusType={found.error ? 'error' : found.isPending ? 'loading' : 'finished'}
              loadingText={t('state.loading')}
              errorText={t('state.failed')}
              empty={<Link href={hrefOf('/apps/$appId/testers', { appId })}>{t('testers.make')}</Link>}
              onChange={({ detail }) => field.onChange(detail.selectedOptions.map(one => one.value ?? ''))}
            />
          )}
        </FormField>
        <FormField of={form} name="endAt" label={t('tests.endAt')} hint={t('tests.endHint')}>
          {field => <InstantInput value={field.value as number | null} onChange={field.onChange} />}
        </FormField>
        <FormField of={form} name="notify" label={t('tests.mail')}>
          {field => (
            <Checkbox checked={field.value === true} onChange={({ detail }) => field.onChange(detail.checked)}>
              {t('tests.notify')}
            </Checkbox>
          )}
        </FormField>
      </ContractFormBox>
    </Modal>
  )
}
