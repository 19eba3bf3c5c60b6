import Alert from '@cloudscape-design/components/alert'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { RolloutView } from '../../rollouts/contract.ts'

/** What others are asked to agree to: by whom, when, why, and who agreed until now. */
export function AskedBox({ asked, of }: { asked: NonNullable<RolloutView['asked']>; of: RolloutView }) {
  const { t } = useTranslation('grow/remote-config')
  const { action, agreed } = asked
  return (
    <Alert type="info" header={t(`rollouts.asked.${action}`)}>
      <div>
        <span translate="no">{asked.by?.name ?? '–'}</span>{' '}
        <span className="lg-soft">
          <When at={asked.at} show="both" /> ·{' '}
          {t('requests.approvedLong', { approvals: agreed.length, needed: of.approvalsNeeded })}
        </span>
      </div>
      {asked.reason !== '' && <div>{asked.reason}</div>}
      {action === 'start' && of.startAt !== null && (
        <div>
          {t('rollouts.due.start')}
          <When at={of.startAt} show="both" />
        </div>
      )}
      {agreed.length > 0 && (
        <ul className="rcs-votes" aria-label={t('rollouts.agreed')}>
          {agreed.map(one => (
            <li key={`${one.at} ${one.by?.accountId ?? ''}`}>
              <StatusBadge tone="good" text={t('rollouts.did.agree')} />
              <span>
                <span translate="no">{one.by?.name ?? '–'}</span>{' '}
                <span className="lg-soft">
                  <When at={one.at} show="both" />
                </span>
                {one.reason !== '' && <div>{one.reason}</div>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
