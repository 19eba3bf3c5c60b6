import i18next, { type BackendModule, type ResourceKey } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { detectLanguage, keepLanguage, type Language, languages, localeOf, onLanguageChosen } from '../language.ts'

/**
 * Namespaces: `console` is the frame (`console/i18n/zh.json`); every service has its own, named like its folder
 * (`distribute/apps` reads `services/distribute/apps/console/i18n/zh.json`) and loaded with its first page. A part of the kit
 * that few pages show may have one, too (`kit/conditions`); those pages name it in their `texts`.
 * In a page: `const { t } = useTranslation('distribute/apps')`; a key it lacks is looked up in `console` (save,
 * cancel, ...). Plural forms: `key_one`, `key_few`, `key_many`, `key_other` with `{ count }`.
 */
const files = import.meta.glob<ResourceKey>(
  ['./{zh,en,ru}.json', '../kit/**/i18n/*.json', '../../services/**/console/i18n/*.json'],
  { import: 'default' },
)

const pathOfTexts = (language: string, namespace: string) =>
  namespace === 'console'
    ? `./${language}.json`
    : namespace.startsWith('kit/')
      ? `../${namespace}/i18n/${language}.json`
      : `../../services/${namespace}/console/i18n/${language}.json`

const lazyTexts: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = files[pathOfTexts(language, namespace)]
    if (!load) return done(null, {})
    load().then(
      texts => done(null, texts as object),
      error => done(error as Error, false),
    )
  },
}

function showLanguage(language: string): void {
  document.documentElement.lang = localeOf[language as Language]
}

/** Loads the frame's texts of the language found; a page's own come with the page. */
export async function startTexts(): Promise<void> {
  i18next.on('languageChanged', showLanguage)
  onLanguageChosen(language => void i18next.changeLanguage(language))
  await i18next
    .use(lazyTexts)
    .use(initReactI18next)
    .init({
      lng: detectLanguage(),
      fallbackLng: false,
      supportedLngs: [...languages],
      ns: ['console'],
      defaultNS: 'console',
      fallbackNS: 'console',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    })
}

/** A language in the path wins over a choice, so the choice moves the path too. */
export async function changeLanguage(language: Language): Promise<void> {
  keepLanguage(language)
  const path = location.pathname.replace(/\/(?:ru|en)\//, '/')
  if (path !== location.pathname) history.replaceState(history.state, '', path + location.search + location.hash)
  await i18next.changeLanguage(language)
}
