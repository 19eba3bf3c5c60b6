import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { ContractFormBox } from '../../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { SelectField } from '../../../../../console/kit/SelectField.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { notify } from '../../../../../console/notify.ts'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { versionTests } from '../../testing/contract.ts'
import { packagesApi, testsApi } from '../version-calls.ts'
import { nameOf } from '../version-words.ts'

/** A draft of the test lane: one of the packages that are processed, and what to look at. */
export function NewTest({ appId, onClose }: { appId: string; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const form = useContractForm(versionTests.calls.createTestVersion.body, { appId, pkgId: '', testDesc: '' })
  const found = useCall(packagesApi.listPackages, { query: { appId, state: 'READY', pageSize: 100 } })
  const create = useAction(testsApi.createTestVersion, {
    errors: 'form',
    onDone: test => {
      notify({ tone: 'success', text: t('tests.done.create', { version: nameOf(test) }) })
      onClose()
    },
  })
  return (
    <Modal visible header={t('tests.new')} onDismiss={onClose}>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <StatusBadge tone="running" text={t('state.loading')} />}
      {found.data?.total === 0 && (
        <EmptyState
          title={t('package.noReady')}
          text={t('package.noReadyText')}
          action={<a href={hrefOf('/apps/$appId/packages', { appId })}>{t('package.upload')}</a>}
        />
      )}
      {found.data && found.data.total > 0 && (
        <ContractFormBox
          of={form}
          action={create}
          submit={body => create.run({ body })}
          submitLabel={t('tests.make')}
          onCancel={onClose}
        >
          <SelectField
            of={form}
            name="pkgId"
            label={t('tests.package')}
            placeholder={t('package.choose')}
            options={found.data.list.map(pkg => ({
              value: pkg.pkgId,
              label: nameOf(pkg),
              description: [pkg.fileName, pkg.usage === 'TEST_ONLY' ? t('tests.testOnly') : '']
                .filter(Boolean)
                .join(' · '),
            }))}
          />
          <TextField of={form} name="testDesc" label={t('tests.desc')} hint={t('tests.descHint')} />
        </ContractFormBox>
      )}
    </Modal>
  )
}
