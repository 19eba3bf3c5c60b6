import { useTranslation } from 'react-i18next'
import { changeLanguage } from './i18n/start.ts'
import { languageNames, languages } from './language.ts'

/** The three languages as plain buttons, for pages without the shell. */
export function LanguageLinks() {
  const { t, i18n } = useTranslation()
  return (
    <nav className="lg-languages" aria-label={t('shell.language')}>
      {languages.map(language => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-current={i18n.resolvedLanguage === language ? 'true' : undefined}
          onClick={() => void changeLanguage(language)}
        >
          {languageNames[language]}
        </button>
      ))}
    </nav>
  )
}
