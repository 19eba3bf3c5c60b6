import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { useSettled } from '../../../../../console/use-settled.ts'
import { type AudienceRule, audienceRuleProblems, lowered } from '../../audiences/rules.ts'
import { audiencesApi } from '../targeting-calls.ts'

const settleMs = 500

/** How many a rule would match now, while it is written: counted once nobody types, and given up when the rule changes. */
export function LiveCount({ projectId, rule }: { projectId: string; rule: AudienceRule }) {
  const { t, i18n } = useTranslation('grow/targeting')
  const text = JSON.stringify(rule)
  const settled = useSettled(text, settleMs)
  const isFit = audienceRuleProblems(rule).length === 0
  const found = useCall(
    audiencesApi.previewAudience,
    { body: { projectId, rule: JSON.parse(settled) as AudienceRule } },
    { enabled: isFit && settled === text, retry: false },
  )
  const number = (count: number) => count.toLocaleString(i18n.resolvedLanguage)
  if (!isFit) return <StatusIndicator type="info">{t('count.unfit')}</StatusIndicator>
  if (settled !== text || found.isFetching)
    return <StatusIndicator type="loading">{t('count.counting')}</StatusIndicator>
  if (found.error) return <StatusIndicator type="warning">{errorText(found.error)}</StatusIndicator>
  if (!found.data) return null
  const { isExact, matched, estimate, low, high, sampled, total } = found.data
  return (
    <>
      <div>
        {isExact
          ? t('audiences.exact', { matched: number(matched), total: number(total) })
          : t('audiences.about', {
              ...{ estimate: number(estimate), low: number(low), high: number(high) },
              ...{ sampled: number(sampled), total: number(total) },
            })}
      </div>
      {lowered(rule).behaviours.length > 0 && <div className="lg-soft">{t('count.withEvents')}</div>}
    </>
  )
}
