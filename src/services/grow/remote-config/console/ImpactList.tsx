import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../console/error-text.ts'
import { useCall } from '../../../../console/use-call.ts'
import { impactApi, type Where } from './config-calls.ts'

/** For how many of those who asked lately a publish would change what. */
export function ImpactList({ where }: { where: Where }) {
  const { t, i18n } = useTranslation('grow/remote-config')
  const found = useCall(impactApi.previewDraft, { query: { ...where, pageSize: 20 } }, { staleTime: 0 })
  const number = (value: number) => value.toLocaleString(i18n.resolvedLanguage)
  if (found.error) return <StatusIndicator type="error">{errorText(found.error)}</StatusIndicator>
  if (!found.data) return <StatusIndicator type="loading">{t('impact.loading')}</StatusIndicator>
  const { contexts, fewest, list, total } = found.data
  return (
    <div>
      <Box variant="h3">{t('impact.title')}</Box>
      {contexts < fewest ? (
        <div className="lg-soft">{t('impact.tooFew', { contexts: number(contexts), fewest: number(fewest) })}</div>
      ) : (
        <>
          <div className="lg-soft">{t('impact.of', { contexts: number(contexts) })}</div>
          {total === 0 && <div>{t('impact.none')}</div>}
          <ul className="rcs-problems">
            {list.map(({ key, percent, error }) => (
              <li key={key}>{t('impact.changes', { key, percent: number(percent), error: number(error) })}</li>
            ))}
          </ul>
          {total > list.length && <div className="lg-soft">{t('difference.more', { count: total - list.length })}</div>}
        </>
      )}
    </div>
  )
}
