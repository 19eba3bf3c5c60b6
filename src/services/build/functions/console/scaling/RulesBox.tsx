import Box from '@cloudscape-design/components/box'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Can } from '../../../../../console/Can.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { useAction } from '../../../../../console/use-action.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { type ScalingRules, scalingApi } from '../function-calls.ts'
import { FloorLine } from './FloorLine.tsx'
import { RuleDialog } from './RuleDialog.tsx'

type Rule = ScalingRules['list'][number]

/** Floors by the clock and sizes by what is measured, with the floors of the next day as a picture. */
export function RulesBox({ functionId, qualifier }: { functionId: string; qualifier: string }) {
  const { t } = useTranslation('build/functions')
  const [open, setOpen] = useState<Rule | 'new' | null>(null)
  const params = { functionId }
  const found = useCall(scalingApi.listScalingRules, { params, query: { qualifier } })
  const remove = useAction(scalingApi.deleteScalingRule)
  const list = found.data?.list ?? []
  const make = (
    <Can call={scalingApi.createScalingRule}>
      <Button data-action="new-rule" onClick={() => setOpen('new')}>
        {t('scaling.newRule')}
      </Button>
    </Can>
  )
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${list.length})`} description={t('scaling.rulesText')} actions={make}>
          {t('scaling.rules')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        {found.data && found.data.floors.length > 0 && <FloorLine of={found.data} />}
        {list.length === 0 && <Box color="text-body-secondary">{t('scaling.noRules')}</Box>}
        {list.map(rule => (
          <div key={rule.ruleId} className="fn-alias">
            <div>
              <Box variant="h4" tagOverride="h3">
                {rule.name}
              </Box>
              <RuleWords rule={rule} />
              {!rule.isEnabled && <StatusBadge tone="off" text={t('off')} />}
            </div>
            <Can call={scalingApi.updateScalingRule}>
              <SpaceBetween direction="horizontal" size="xs">
                <Button variant="inline-link" onClick={() => setOpen(rule)}>
                  {t('edit')}
                </Button>
                <Button
                  variant="inline-link"
                  onClick={() => void remove.run({ params: { functionId, ruleId: rule.ruleId } })}
                >
                  {t('delete')}
                </Button>
              </SpaceBetween>
            </Can>
          </div>
        ))}
      </SpaceBetween>
      {open !== null && (
        <RuleDialog
          functionId={functionId}
          qualifier={qualifier}
          rule={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
        />
      )}
    </Container>
  )
}

function RuleWords({ rule: { cron, metric } }: { rule: Rule }) {
  const { t } = useTranslation('build/functions')
  if (cron)
    return (
      <div>
        {t('scaling.cronWords', { count: cron.count, minutes: cron.holdMinutes })}{' '}
        <code translate="no">
          {cron.cron} {cron.timezone}
        </code>
      </div>
    )
  if (!metric) return null
  const { min, max, threshold } = metric
  return <div>{t('scaling.metricWords', { min, max, threshold, metric: t(`scaling.metrics.${metric.metric}`) })}</div>
}
