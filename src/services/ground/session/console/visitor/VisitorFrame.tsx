import './sign-in.css'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageLinks } from '../../../../../console/LanguageLinks.tsx'
import { Arcade } from './Arcade.tsx'

/** Around every page that needs no session. Plain HTML on purpose: the first thing anybody loads carries no library. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ground/session')
  return (
    <div className="sign-in">
      <header className="sign-in-side">
        <p className="sign-in-name">Loggia</p>
        <p className="sign-in-line">{t('signIn.line')}</p>
        <Arcade />
      </header>
      <main className="sign-in-main" id="page" tabIndex={-1}>
        {children}
        <LanguageLinks />
      </main>
    </div>
  )
}
