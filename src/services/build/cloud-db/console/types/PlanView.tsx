import Alert from '@cloudscape-design/components/alert'
import Box from '@cloudscape-design/components/box'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import type { Plan } from '../../schema/contract.ts'

/** What a change would do to the tables, before it does it. */
export function PlanView({ plan }: { plan: Plan }) {
  const { t } = useTranslation('build/cloud-db')
  return (
    <SpaceBetween size="s">
      <Box variant="h4">{t('plan.title')}</Box>
      <div>{t('plan.lock', { ms: plan.lockMs })}</div>
      {plan.breaking.length > 0 && (
        <Alert type="warning" header={t('plan.breaking')}>
          <ul>
            {plan.breaking.map(one => (
              <li key={one.message}>
                <span translate="no">{one.message}</span>
                {one.rows !== null && ` (${t('plan.rows', { count: one.rows })})`}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {plan.ddl.length + plan.concurrent.length === 0 ? (
        <div>{t('plan.nothing')}</div>
      ) : (
        <pre className="cdb-plan" translate="no">
          {[...plan.ddl, ...plan.concurrent].map(one => `${one};`).join('\n')}
        </pre>
      )}
    </SpaceBetween>
  )
}
