import Alert from '@cloudscape-design/components/alert'
import { useTranslation } from 'react-i18next'
import type { RollbackView } from '../version-calls.ts'

/** Without the key the store cannot build the older version again; what the developer does instead. */
export function ForwardSteps({ forward }: { forward: RollbackView['forward'] }) {
  const { t } = useTranslation('distribute/versions')
  return (
    <Alert type="info" header={t('rollback.forward.title')}>
      <ol className="phased-steps">
        <li>
          {t('rollback.forward.build', { code: forward.versionCode, name: forward.versionName ?? t('rollback.older') })}
        </li>
        <li>
          {t('rollback.forward.sign')}{' '}
          {forward.signers.map(signer => (
            <code key={signer} translate="no">
              {signer}
            </code>
          ))}
        </li>
        <li>{t('rollback.forward.release')}</li>
      </ol>
    </Alert>
  )
}
