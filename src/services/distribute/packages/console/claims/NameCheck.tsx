import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { useAction } from '../../../../../console/use-action.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { claims } from '../../claims/contract.ts'
import { claimCalls } from '../package-calls.ts'

interface NameCheckProps {
  packageType: string
  packageName: string
}

/** Who has the name, and how it can be claimed, before anything is written. */
export function NameCheck({ packageType, packageName }: NameCheckProps) {
  const { t } = useTranslation('distribute/packages')
  const [found, setFound] = useState<Answer<typeof claims.calls.checkName> | null>(null)
  const check = useAction(claimCalls.checkName, { errors: 'form', invalidates: [], onDone: setFound })
  return (
    <div className="packages-claim">
      <div>
        <Button
          formAction="none"
          data-action="checkName"
          disabled={packageType === '' || packageName.trim() === ''}
          loading={check.isRunning}
          onClick={() => void check.run({ body: { packageType, packageName: packageName.trim() } })}
        >
          {t('claims.check')}
        </Button>
      </div>
      {check.error && <Alert type="error">{errorText(check.error)}</Alert>}
      {found && (
        <Alert type={found.state === 'FREE' || found.state === 'YOURS' ? 'success' : 'info'}>
          {t(`claims.nameStates.${found.state}`, { holder: found.holderMasked ?? '' })}{' '}
          {found.methods.length > 0 &&
            t('claims.ways', { ways: found.methods.map(method => t(`claims.methods.${method}`)).join(', ') })}{' '}
          {found.domains.length > 0 && t('claims.ofDomains', { domains: found.domains.join(', ') })}
        </Alert>
      )}
    </div>
  )
}
