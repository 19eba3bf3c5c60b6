import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Multiselect from '@cloudscape-design/components/multiselect'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { localeOf } from '../../../../console/language.ts'
import { allRegistered } from '../../../../console/registry.ts'
import { useCall } from '../../../../console/use-call.ts'
import type { ZoneId } from '../../../../kernel/zones.ts'
import { limits } from '../rules.ts'
import { api, numberText, pageTitle, shownLanguage, type UseAsked } from './use-calls.ts'
import { stepsOf } from './use-search.ts'

interface UseFunnelProps {
  asked: UseAsked
  zone: ZoneId
  /** Paths with a space between them. */
  steps: string
  onChange: (steps: string) => void
}

/** How many people went from each page to the next one; the pages are chosen in the order they are gone through. */
export function UseFunnel({ asked, zone, steps, onChange }: UseFunnelProps) {
  const { t } = useTranslation('analyse/collect')
  const paths = stepsOf(steps)
  const found = useCall(api.getUseFunnel, { query: { ...asked, steps: paths } }, { keepBefore: true, zone })
  const language = shownLanguage()
  const optionOf = (value: string) => ({ value, label: pageTitle(value) ?? value, description: value })
  const options = allRegistered()
    .map(page => optionOf(page.path))
    .toSorted((one, other) => one.label.localeCompare(other.label, localeOf[language]))
  const rows = found.data?.list ?? []
  const first = Math.max(1, rows[0]?.visitors ?? 0)
  const share = new Intl.NumberFormat(localeOf[language], { style: 'percent', maximumFractionDigits: 1 })
  const change = (chosen: string[]) => {
    const kept = paths.filter(path => chosen.includes(path))
    const next = [...kept, ...chosen.filter(path => !paths.includes(path))].slice(0, limits.stepsOfFunnel)
    if (next.length >= 2) onChange(next.join(' '))
  }
  return (
    <Container
      header={
        <Header variant="h2" description={t('funnel.text')}>
          {t('funnel.title')}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <FormField label={t('funnel.steps')} description={t('funnel.hint', { most: limits.stepsOfFunnel })}>
          <Multiselect
            options={options}
            selectedOptions={paths.map(optionOf)}
            filteringType="auto"
            expandToViewport
            deselectAriaLabel={option => t('funnel.without', { page: option.label ?? '' })}
            onChange={({ detail }) => change(detail.selectedOptions.map(option => option.value ?? ''))}
          />
        </FormField>
        {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
        <ol className="use-bars">
          {rows.map(({ page, visitors }) => (
            <li key={page}>
              <span>
                {pageTitle(page)}
                <code translate="no">{page}</code>
              </span>
              <span className="use-numbers">
                <strong>{numberText(visitors)}</strong>
                <small>{share.format(visitors / first)}</small>
              </span>
              <span className="use-bar" style={{ inlineSize: `${(visitors / first) * 100}%` }} aria-hidden />
            </li>
          ))}
        </ol>
      </SpaceBetween>
    </Container>
  )
}
