import './menu.css'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { When } from '../../../../console/kit/When.tsx'
import { useSession } from '../../../../console/session.ts'
import { useCall } from '../../../../console/use-call.ts'
import { Billboard } from './Billboard.tsx'
import { api } from './menu-calls.ts'
import { useLanguage } from './shown-language.ts'

/** Below the home page: what the operator shows, favourites and what was used last, as the person arranged them. */
export default function HomePanels() {
  const session = useSession()
  const enabled = session.status === 'in' && session.teamId !== null
  const config = useCall(api.getInfoCenterConfig, {}, { enabled, staleTime: 300_000 })
  const parts: Record<string, ReactNode> = { favorites: <Favorites />, recent: <Recent />, billboard: <Billboard /> }
  if (!config.data || config.data.panels.length === 0) return null
  return (
    <div className="menu-panels">
      {config.data.panels.map(panel => (
        <div key={panel} className="menu-panel">
          {parts[panel]}
        </div>
      ))}
    </div>
  )
}

function Favorites() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const found = useCall(api.listFavorites, {})
  const list = (found.data?.list ?? []).filter(one => one.isOpen)
  return (
    <Container
      fitHeight
      header={
        <Header variant="h2" actions={<Link href={hrefOf('/services')}>{t('panels.allServices')}</Link>}>
          {t('panels.favorites')}
        </Header>
      }
    >
      {list.length === 0 && found.data && <span className="lg-soft">{t('panels.noFavorites')}</span>}
      <ul className="menu-lines">
        {list.map(one => (
          <li key={one.serviceId}>
            <Link href={hrefOf(one.path)}>{one.title[language]}</Link>
          </li>
        ))}
      </ul>
    </Container>
  )
}

function Recent() {
  const { t } = useTranslation('ground/menu')
  const language = useLanguage()
  const found = useCall(api.listServiceUsage, {})
  const list = (found.data?.list ?? []).slice(0, 6)
  return (
    <Container fitHeight header={<Header variant="h2">{t('panels.recent')}</Header>}>
      {list.length === 0 && found.data && <span className="lg-soft">{t('panels.noRecent')}</span>}
      <ul className="menu-lines">
        {list.map(one => (
          <li key={one.serviceId}>
            <Link href={hrefOf(one.path)}>{one.title[language]}</Link>
            <span className="lg-soft">
              <When at={one.lastUsedAt} show="relative" />
            </span>
          </li>
        ))}
      </ul>
    </Container>
  )
}
