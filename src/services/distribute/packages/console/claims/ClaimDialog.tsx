import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import Modal from '@cloudscape-design/components/modal'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { challengeFiles } from '../../claims/rules.ts'
import { Copied } from '../detail/Copied.tsx'
import { type ClaimView, claimCalls } from '../package-calls.ts'
import { ClaimProof } from './ClaimProof.tsx'
import { claimTones } from './claim-words.ts'
import { DomainProof } from './DomainProof.tsx'
import { ObjectionForm } from './ObjectionForm.tsx'

/** One claim: where it stands, what is to be done next, and by whom. */
export function ClaimDialog({ one, onClose }: { one: ClaimView; onClose: () => void }) {
  const { t } = useTranslation('distribute/packages')
  const withdraw = useAction(claimCalls.withdrawClaim)
  const { claimId, challenge, domain, method, expectedSigners, proof, noticeUntil, objection, verdict } = one
  return (
    <Modal
      visible
      size="large"
      header={one.packageName}
      onDismiss={onClose}
      footer={
        one.allowedActions.includes('withdraw') && (
          <Box float="right">
            <Button
              data-action="withdrawClaim"
              loading={withdraw.isRunning}
              onClick={() => void withdraw.run({ query: { claimId } })}
            >
              {t('claims.withdraw')}
            </Button>
          </Box>
        )
      }
    >
      <SpaceBetween size="l">
        <StatusBadge tone={claimTones[one.state]} text={t(`claims.states.${one.state}`)} />
        <span>
          {t(`claims.next.${one.side}.${method === 'DOMAIN' && challenge !== null ? method : one.state}`, {
            defaultValue: '',
          })}
        </span>
        {proof?.reason && <Alert type="error">{t(`claims.reasons.${proof.reason}`)}</Alert>}
        {challenge !== null && domain !== null && <DomainProof one={one} domain={domain} challenge={challenge} />}
        {challenge !== null && method === 'SIGNATURE' && (
          <>
            <KeyValuePairs
              columns={1}
              items={[
                { label: t('claims.challenge'), value: <Copied text={challenge} isDigest /> },
                {
                  label: t('claims.files'),
                  value: [...challengeFiles.always, ...challengeFiles.whereCovered].join(', '),
                },
                {
                  label: t('claims.signers'),
                  value: expectedSigners.map(signer => <Copied key={signer} text={signer} isDigest />),
                },
              ]}
            />
            <ClaimProof claimId={claimId} isHandedIn={one.objectId !== null && proof === null} />
          </>
        )}
        {one.state === 'NOTICE' && noticeUntil !== null && (
          <span>
            {t('claims.until')} <When at={noticeUntil} />
          </span>
        )}
        {objection !== null && <Alert header={t('claims.objection')}>{objection}</Alert>}
        {verdict !== null && <Alert header={t('claims.verdict')}>{verdict}</Alert>}
        {one.allowedActions.includes('object') && <ObjectionForm one={one} />}
      </SpaceBetween>
    </Modal>
  )
}
