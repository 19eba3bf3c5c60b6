import Checkbox from '@cloudscape-design/components/checkbox'
import Input from '@cloudscape-design/components/input'
import Modal from '@cloudscape-design/components/modal'
import { useTranslation } from 'react-i18next'
import { ContractFormBox } from '../../../../console/kit/ContractFormBox.tsx'
import { useContractForm } from '../../../../console/kit/contract-form.ts'
import { FormField } from '../../../../console/kit/FormField.tsx'
import { TextAreaField } from '../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../console/kit/TextField.tsx'
import { versions } from '../contract.ts'
import { useVersionEdit } from './use-version-edit.ts'
import type { VersionView } from './version-calls.ts'

/** Notes, sign-in and privacy policy: what reviewers need and nobody else sees. */
export function EditReviewInfo({ version, onClose }: { version: VersionView; onClose: () => void }) {
  const { t } = useTranslation('distribute/versions')
  const { versionId, revision, remark, loginRequired, testAccount, privacyPolicyUrl } = version
  const form = useContractForm(versions.calls.updateVersion.body, {
    versionId,
    revision,
    remark,
    loginRequired,
    testAccount,
    testPassword: '',
    privacyPolicyUrl,
  })
  const { act, save } = useVersionEdit(version, onClose)
  const isNeeded = form.form.watch('loginRequired')
  return (
    <Modal visible header={t('info.title')} onDismiss={onClose}>
      <ContractFormBox
        of={form}
        action={act}
        submitLabel={t('action.save')}
        onCancel={onClose}
        submit={() => {
          // Read from the form: emptied texts are meant, and an untouched password stays as it is.
          const { testPassword, ...said } = form.form.getValues()
          return save({
            remark: said.remark ?? '',
            privacyPolicyUrl: said.privacyPolicyUrl ?? '',
            loginRequired: said.loginRequired ?? false,
            testAccount: said.testAccount ?? '',
            ...(testPassword && { testPassword }),
          })
        }}
      >
        <TextAreaField of={form} name="remark" label={t('info.remark')} hint={t('info.remarkHint')} rows={4} />
        <TextField
          of={form}
          name="privacyPolicyUrl"
          label={t('info.privacy')}
          type="url"
          placeholder="https://example.org/privacy"
        />
        <FormField of={form} name="loginRequired" label={t('info.signIn')}>
          {field => (
            <Checkbox checked={field.value === true} onChange={({ detail }) => field.onChange(detail.checked)}>
              {t('info.loginRequired')}
            </Checkbox>
          )}
        </FormField>
        {isNeeded && <TextField of={form} name="testAccount" label={t('info.testAccount')} />}
        {isNeeded && (
          <FormField
            of={form}
            name="testPassword"
            label={t('info.testPassword')}
            hint={version.hasTestPassword ? t('info.passwordKept') : undefined}
          >
            {field => (
              <Input
                type="password"
                autoComplete={false}
                value={String(field.value ?? '')}
                onBlur={field.onBlur}
                onChange={({ detail }) => field.onChange(detail.value)}
              />
            )}
          </FormField>
        )}
      </ContractFormBox>
    </Modal>
  )
}
