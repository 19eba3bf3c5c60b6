import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { domainProof } from '../../claims/rules.ts'
import { Copied } from '../detail/Copied.tsx'
import { type ClaimView, claimCalls } from '../package-calls.ts'

interface DomainProofProps {
  one: ClaimView
  domain: string
  challenge: string
}

/** Where the code is to be shown, and the wish that somebody looks. */
export function DomainProof({ one, domain, challenge }: DomainProofProps) {
  const { t } = useTranslation('distribute/packages')
  const { claimId, proof, revision } = one
  const [lookedAt, setLookedAt] = useState<number | null>(null)
  const look = useAction(claimCalls.proveClaim, { onDone: done => setLookedAt(done.revision) })
  const isLooking = lookedAt === revision && proof === null
  useCall(claimCalls.listClaims, { query: { claimId } }, { enabled: isLooking, refetchInterval: isLooking && 1500 })
  const { recordName, recordValue, fileUrl } = domainProof(domain, challenge)
  return (
    <div className="packages-claim">
      <KeyValuePairs
        columns={1}
        items={[
          {
            label: t('claims.record'),
            value: (
              <>
                <Copied text={recordName} isDigest />
                <br />
                <Copied text={recordValue} isDigest />
              </>
            ),
          },
          {
            label: t('claims.page'),
            value: (
              <>
                <Copied text={fileUrl} isDigest />
                <br />
                <Copied text={challenge} isDigest />
              </>
            ),
          },
        ]}
      />
      <span className="lg-soft">{t('claims.showHint')}</span>
      {isLooking && <StatusIndicator type="in-progress">{t('claims.looking')}</StatusIndicator>}
      <div>
        <Button
          data-action="proveDomain"
          loading={look.isRunning || isLooking}
          onClick={() => void look.run({ body: { claimId } })}
        >
          {t('claims.look')}
        </Button>
      </div>
    </div>
  )
}
