import './store.css'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../../../../console/address.ts'
import { LanguageLinks } from '../../../../console/LanguageLinks.tsx'
import mark from '../../../../console/theme/mark.svg'

/** The store's own frame: for anybody, signed in or not, without the console's component library. */
export function StoreFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('distribute/store')
  return (
    <div className="store">
      <header className="store-bar">
        <a className="store-name" href={hrefOf('/store')}>
          <img src={mark} alt="" /> {t('store.name')}
        </a>
        <div className="store-bar-end">
          <LanguageLinks />
          <a href={hrefOf('/')}>{t('store.console')}</a>
        </div>
      </header>
      <main className="store-main" id="page" tabIndex={-1}>
        {children}
      </main>
      <footer className="store-foot">
        {t('store.foot')} <a href={hrefOf('/transparency')}>{t('store.toLog')}</a>
      </footer>
    </div>
  )
}
