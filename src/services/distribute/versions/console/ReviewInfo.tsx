import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import { OutsideLink } from '../../../../console/kit/OutsideLink.tsx'
import type { VersionView } from './version-calls.ts'

/** What the reviewer is told besides the app. */
export function ReviewInfo({ version }: { version: VersionView }) {
  const { t } = useTranslation('distribute/versions')
  const { remark, loginRequired, testAccount, hasTestPassword, privacyPolicyUrl } = version
  return (
    <KeyValuePairs
      columns={1}
      items={[
        { label: t('info.remark'), value: remark ? <p className="version-said">{remark}</p> : t('info.none') },
        {
          label: t('info.signIn'),
          value: loginRequired
            ? hasTestPassword
              ? t('info.account', { account: testAccount || '–' })
              : t('info.accountOnly', { account: testAccount || '–' })
            : t('info.noSignIn'),
        },
        {
          label: t('info.privacy'),
          value: privacyPolicyUrl ? <OutsideLink href={privacyPolicyUrl} /> : t('info.none'),
        },
      ]}
    />
  )
}
