import '../menu.css'
import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../../console/address.ts'
import { EmptyState } from '../../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../../console/kit/PageHeader.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { usePageSearch } from '../../../../../console/page-search.ts'
import { useCall } from '../../../../../console/use-call.ts'
import { api } from '../menu-calls.ts'
import { useLanguage } from '../shown-language.ts'

type Kind = 'feature' | 'group'

/** What the operator has set, as the team gets it: services that wait, and an answer for any feature or group. */
export default function FeaturesPage() {
  const { t } = useTranslation('ground/menu')
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('features.title')} description={t('features.text')} />
      <Ask />
      <Waiting />
    </SpaceBetween>
  )
}

function Ask() {
  const { t } = useTranslation('ground/menu')
  const [{ kind, name }, change] = usePageSearch<{ kind: Kind; name: string }>(raw => ({
    kind: raw['kind'] === 'group' ? 'group' : 'feature',
    name: typeof raw['name'] === 'string' ? raw['name'] : '',
  }))
  const [typed, setTyped] = useState(name)
  const ask = (event: FormEvent) => {
    event.preventDefault()
    change({ name: typed.trim() || undefined }, { replace: true })
  }
  return (
    <Container header={<Header variant="h2">{t('features.ask')}</Header>}>
      <form onSubmit={ask}>
        <SpaceBetween size="m">
          <SegmentedControl
            label={t('features.kind')}
            selectedId={kind}
            options={(['feature', 'group'] as const).map(id => ({ id, text: t(`features.kinds.${id}`) }))}
            onChange={({ detail }) => {
              setTyped('')
              change({ kind: detail.selectedId as Kind, name: undefined }, { replace: true })
            }}
          />
          <FormField label={t(`features.names.${kind}`)} constraintText={t(`features.hints.${kind}`)} stretch>
            <div className="menu-ask">
              <Input value={typed} spellcheck={false} onChange={({ detail }) => setTyped(detail.value.slice(0, 64))} />
              <Button>{t('features.check')}</Button>
            </div>
          </FormField>
          {name && (kind === 'feature' ? <OfFeature feature={name} /> : <OfGroup groupCode={name} />)}
        </SpaceBetween>
      </form>
    </Container>
  )
}

function OfFeature({ feature }: { feature: string }) {
  const { t } = useTranslation('ground/menu')
  const { data, error, refetch } = useCall(api.checkGrayFlag, { query: { feature } })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <StatusBadge tone="running" text={t('state.loading')} />
  return (
    <StatusBadge
      tone={data.isOn ? 'good' : 'off'}
      text={t(data.isOn ? 'features.isOn' : 'features.isOff', { name: feature })}
    />
  )
}

function OfGroup({ groupCode }: { groupCode: string }) {
  const { t } = useTranslation('ground/menu')
  const { data, error, refetch } = useCall(api.checkGroup, { body: { groupCode } })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <StatusBadge tone="running" text={t('state.loading')} />
  return (
    <StatusBadge
      tone={data.isMember ? 'good' : 'off'}
      text={t(data.isMember ? 'features.isIn' : 'features.isOut', { name: groupCode })}
    />
  )
}

function Waiting() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const { data, error, refetch } = useCall(api.getServiceCatalog, { query: { pageSize: 100 } })
  const waiting = data?.list.filter(one => one.closedBy === 'switch') ?? []
  return (
    <Container header={<Header variant="h2">{t('features.waiting')}</Header>}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <StatusBadge tone="running" text={t('state.loading')} />}
      {data && waiting.length === 0 && (
        <EmptyState
          title={t('features.nothingWaits')}
          text={t('features.nothingWaitsText')}
          action={<Button href={hrefOf('/services')}>{t('panels.allServices')}</Button>}
        />
      )}
      <ul className="menu-services menu-waiting">
        {waiting.map(one => (
          <li key={one.serviceId}>
            <span className="menu-service-name">{one.title[language]}</span>
            <StatusBadge tone="waiting" text={t('features.waits')} />
            <p>{one.text[language]}</p>
          </li>
        ))}
      </ul>
    </Container>
  )
}
