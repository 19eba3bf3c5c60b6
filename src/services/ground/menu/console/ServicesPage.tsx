import { hrefOf } from '../../../../console/address.ts'
import './menu.css'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import TextFilter from '@cloudscape-design/components/text-filter'
import ToggleButton from '@cloudscape-design/components/toggle-button'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../../console/kit/EmptyState.tsx'
import { ErrorState } from '../../../../console/kit/ErrorState.tsx'
import { PageHeader } from '../../../../console/kit/PageHeader.tsx'
import { usePageSearch } from '../../../../console/page-search.ts'
import { pageGroups } from '../../../../console/page-spec.ts'
import { useAction } from '../../../../console/use-action.ts'
import { useCall } from '../../../../console/use-call.ts'
import { FavoriteOrder } from './FavoriteOrder.tsx'
import { api, type ServiceView } from './menu-calls.ts'
import { useLanguage } from './shown-language.ts'

interface Wanted {
  q?: string
  category?: ServiceView['category']
}

/** Every service there is, and why some cannot be opened; stars make favourites. */
export default function ServicesPage() {
  const { t } = useTranslation('ground/menu')
  const [{ q = '', category }, change] = usePageSearch<Wanted>(raw => raw as Wanted)
  const [typed, setTyped] = useState(q)
  const apply = useEffectEvent((text: string) => text !== q && change({ q: text || undefined }, { replace: true }))
  useEffect(() => {
    const timer = setTimeout(() => apply(typed), 250)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useCall(
    api.getServiceCatalog,
    { query: { pageSize: 100, search: q.slice(0, 64), ...(category && { category }) } },
    { keepBefore: true },
  )
  const list = found.data?.list ?? []
  const all = { value: '', label: t('table.all') }
  const categories = pageGroups.map(value => ({ value, label: t(`groups.${value}`) }))
  const shown = pageGroups.filter(group => list.some(one => one.category === group))

  return (
    <SpaceBetween size="l">
      <PageHeader title={t('services.title')} description={t('services.text')} />
      <div className="menu-layout">
        <SpaceBetween size="l">
          <div className="lg-table-tools">
            <TextFilter
              filteringText={typed}
              filteringPlaceholder={t('services.search')}
              filteringAriaLabel={t('services.search')}
              countText={q ? t('services.found', { count: found.data?.total ?? 0 }) : ''}
              onChange={({ detail }) => setTyped(detail.filteringText)}
            />
            <FormField label={t('services.category')}>
              <Select
                selectedOption={categories.find(one => one.value === category) ?? all}
                options={[all, ...categories]}
                expandToViewport
                onChange={({ detail }) =>
                  change({
                    category: (detail.selectedOption.value || undefined) as ServiceView['category'] | undefined,
                  })
                }
              />
            </FormField>
          </div>
          {found.isPending && <StatusIndicator type="loading">{t('state.loading')}</StatusIndicator>}
          {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
          {found.data && list.length === 0 && <EmptyState title={t('table.noMatch')} text={t('table.noMatchText')} />}
          {shown.map(group => (
            <section key={group} aria-label={t(`groups.${group}`)}>
              <SpaceBetween size="s">
                <Header variant="h2">{t(`groups.${group}`)}</Header>
                <ul className="menu-services">
                  {list
                    .filter(one => one.category === group)
                    .map(one => (
                      <ServiceCard key={one.serviceId} service={one} />
                    ))}
                </ul>
              </SpaceBetween>
            </section>
          ))}
        </SpaceBetween>
        <Container header={<Header variant="h2">{t('favorites.title')}</Header>}>
          <FavoriteOrder />
        </Container>
      </div>
    </SpaceBetween>
  )
}

function ServiceCard({ service }: { service: ServiceView }) {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const add = useAction(api.addFavorite)
  const remove = useAction(api.removeFavorite)
  const { serviceId, isFavorite, closedBy } = service
  const name = service.title[language]
  return (
    <li>
      <span className="menu-service-name">
        {closedBy === null ? <Link href={hrefOf(service.path)}>{name}</Link> : name}
      </span>
      <ToggleButton
        variant="icon"
        iconName="star"
        pressedIconName="star-filled"
        pressed={isFavorite}
        loading={add.isRunning || remove.isRunning}
        ariaLabel={isFavorite ? t('favorites.removeOf', { name }) : t('favorites.addOf', { name })}
        data-action={isFavorite ? 'removeFavorite' : 'addFavorite'}
        onChange={() => void (isFavorite ? remove.run({ query: { serviceId } }) : add.run({ body: { serviceId } }))}
      />
      <p>{service.text[language]}</p>
      {closedBy !== null && (
        <p>
          <StatusIndicator type="stopped">
            {t(`services.closed.${closedBy}`, { permission: service.permission })}
          </StatusIndicator>
        </p>
      )}
    </li>
  )
}
