import './reference.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import TextFilter from '@cloudscape-design/components/text-filter'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { CallDetail } from './CallDetail.tsx'
import { MethodBadge } from './MethodBadge.tsx'
import { type CallLine, type ServiceLine, useDocument, useIndex } from './open-api.ts'

interface Wanted {
  service?: string
  /** `GET /ups/v1/team` */
  call?: string
}

const nameOf = (call: CallLine) => `${call.method} ${call.path}`

/** Those of the services' calls that have every word somewhere. */
function matching(services: readonly ServiceLine[], typed: string): ServiceLine[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return services
    .map(service => ({
      ...service,
      calls: service.calls.filter(call => {
        const text = `${service.name} ${nameOf(call)} ${call.summary} ${call.permission}`.toLowerCase()
        return words.every(word => text.includes(word))
      }),
    }))
    .filter(service => service.calls.length > 0)
}

/** Every call of the server, read from what the server prints of itself; each can be tried. */
export default function ReferencePage() {
  const { t } = useTranslation('ground/reference')
  const [{ service, call }, change] = usePageSearch<Wanted>(raw => raw as Wanted)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const index = useIndex()
  const document = useDocument(service)
  const found = matching(index.data?.services ?? [], search)
  const total = found.reduce((sum, one) => sum + one.calls.length, 0)
  const [method = '', path = ''] = call?.split(' ') ?? []
  const operation = document.data?.paths[path]?.[method.toLowerCase()]
  const isChosen = service !== undefined && call !== undefined

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('reference.title')} description={t('reference.text')} />
      {index.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
      {index.error && <ErrorState error={index.error} onRetry={() => void index.refetch()} />}
      {index.data && (
        <div className={`reference-layout ${isChosen ? 'reference-chosen' : ''}`}>
          <div className="reference-index">
            <SpaceBetween size="m">
              <TextFilter
                filteringText={typed}
                filteringPlaceholder={t('reference.search')}
                filteringAriaLabel={t('reference.search')}
                countText={typed ? t('reference.found', { count: total }) : ''}
                onChange={({ detail }) => setTyped(detail.filteringText)}
              />
              {total === 0 && <EmptyState title={t('table.noMatch')} text={t('table.noMatchText')} />}
              {found.map(one => (
                <ServiceCalls
                  key={one.name}
                  service={one}
                  isOpen={search !== '' || one.name === service}
                  chosen={one.name === service ? call : undefined}
                  onChoose={line => change({ service: one.name, call: nameOf(line) })}
                />
              ))}
            </SpaceBetween>
          </div>
          <div className="reference-detail">
            {!isChosen && (
              <Container>
                <EmptyState title={t('reference.choose')} text={t('reference.chooseText')} />
              </Container>
            )}
            {isChosen && (
              <>
                <div className="reference-back">
                  <Button iconName="arrow-left" onClick={() => change({ service: undefined, call: undefined })}>
                    {t('reference.back')}
                  </Button>
                </div>
                {document.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
                {document.error && <ErrorState error={document.error} onRetry={() => void document.refetch()} />}
                {document.data && !operation && <EmptyState title={t('reference.gone')} />}
                {document.data && operation && (
                  <CallDetail
                    key={`${service} ${call}`}
                    method={method}
                    path={path}
                    operation={operation}
                    schemas={document.data.components.schemas}
                  />
                )}
              </>
            )}
          </div>
        </div>
      )}
    </SpaceBetween>
  )
}

interface ServiceCallsProps {
  service: ServiceLine
  isOpen: boolean
  chosen: string | undefined
  onChoose: (line: CallLine) => void
}

function ServiceCalls({ service, isOpen, chosen, onChoose }: ServiceCallsProps) {
  const [isExpanded, setExpanded] = useState<boolean | null>(null)
  const expanded = isExpanded ?? isOpen
  return (
    <ExpandableSection
      headerText={service.name}
      headerCounter={`(${service.calls.length})`}
      expanded={expanded}
      onChange={({ detail }) => setExpanded(detail.expanded)}
    >
      {expanded && (
        <ul className="reference-calls">
          {service.calls.map(call => (
            <li key={nameOf(call)}>
              <button
                type="button"
                aria-current={nameOf(call) === chosen ? 'true' : undefined}
                onClick={() => onChoose(call)}
              >
                <MethodBadge method={call.method} />
                <span>
                  <code>{call.path}</code>
                  <br />
                  <span className="lg-soft" lang="en">
                    {call.summary}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </ExpandableSection>
  )
}
