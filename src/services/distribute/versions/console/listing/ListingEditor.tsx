import './listing.css'
import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useContractForm } from '../../../../../console/kit/contract-form.ts'
import { LanguageTabs } from '../../../../../console/kit/LanguageTabs.tsx'
import { UnsavedGuard } from '../../../../../console/kit/UnsavedGuard.tsx'
import { useImageAddresses } from '../use-image-addresses.ts'
import type { AppView, ListingView, VersionView } from '../version-calls.ts'
import { languageName, refusalText } from '../version-words.ts'
import { AddLanguage } from './AddLanguage.tsx'
import { LanguageFields } from './LanguageFields.tsx'
import {
  changedFields,
  emptyValues,
  type LanguageValues,
  type ListingValues,
  listingSchema,
  valuesOf,
} from './listing-form.ts'
import { RemoveLanguage } from './RemoveLanguage.tsx'
import { useListingSave } from './use-listing-save.ts'

interface ListingEditorProps {
  app: AppView
  version: VersionView
  listings: readonly ListingView[]
  chosen: string
  onChoose: (lang: string) => void
  onReload: () => void
}

/** One form over all languages: what is typed in one stays while another is looked at. */
export function ListingEditor({ app, version, listings, chosen, onChoose, onReload }: ListingEditorProps) {
  const { t } = useTranslation('distribute/versions')
  const [saved, setSaved] = useState<ListingValues>(() =>
    Object.fromEntries(listings.map(listing => [listing.lang, valuesOf(listing)])),
  )
  const [start] = useState<ListingValues>(() =>
    app.defaultLang in saved ? saved : { [app.defaultLang]: emptyValues(app.name), ...saved },
  )
  const [languages, setLanguages] = useState<readonly string[]>(Object.keys(start))
  const of = useContractForm(listingSchema(languages, app.defaultLang), start)
  const values = of.form.watch() as ListingValues
  const valuesIn = (lang: string): LanguageValues => values[lang] ?? emptyValues('')
  const dirty = languages.filter(lang => changedFields(valuesIn(lang), saved[lang]).length > 0)
  const { save, error, isSaving, isStale } = useListingSave({ of, version, saved, setSaved, onChoose })
  const lang = languages.includes(chosen) ? chosen : app.defaultLang
  const pictures = languages.flatMap(one => {
    const { icon, screenshots, film, filmCover } = valuesIn(one)
    return [icon, film, filmCover, ...Object.values(screenshots).flat()].flatMap(file => file?.objectId ?? [])
  })
  const addresses = useImageAddresses(pictures)

  const add = (next: string) => {
    of.form.setValue(next, emptyValues(valuesIn(app.defaultLang).appName) as never)
    setLanguages(all => [...all, next])
    onChoose(next)
  }
  const forget = (gone: string) => {
    setLanguages(all => all.filter(one => one !== gone))
    setSaved(({ [gone]: _gone, ...rest }) => rest)
    of.form.unregister(gone)
    onChoose(app.defaultLang)
  }
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        void save(dirty)
      }}
    >
      <UnsavedGuard isDirty={dirty.length > 0} what={dirty.map(languageName).join(', ')} />
      <div className="listing-head">
        <AddLanguage present={languages} onAdd={add} />
        {lang !== app.defaultLang && (
          <RemoveLanguage lang={lang} version={version} isSaved={lang in saved} onRemoved={() => forget(lang)} />
        )}
      </div>
      <LanguageTabs
        label={t('listing.languages')}
        chosen={lang}
        onChoose={onChoose}
        languages={languages.map(key => ({
          key,
          name: languageName(key),
          isDefault: key === app.defaultLang,
          isFilled: valuesIn(key).briefInfo !== '' && valuesIn(key).appDesc !== '',
          hasError: of.form.formState.errors[key] !== undefined,
        }))}
      >
        {key => (
          <LanguageFields
            key={key}
            lang={key}
            of={of}
            app={app}
            values={valuesIn(key)}
            addresses={addresses}
            versionId={version.versionId}
            savedFilm={listings.find(one => one.lang === key)?.film ?? null}
          />
        )}
      </LanguageTabs>
      <div className="listing-bar">
        <div role="status">
          {dirty.length > 0
            ? t('listing.unsaved', { count: dirty.length, names: dirty.map(languageName).join(', ') })
            : t('listing.allSaved')}
        </div>
        {error && (
          <Alert
            type="error"
            action={
              isStale && (
                <Button formAction="none" onClick={onReload}>
                  {t('listing.reload')}
                </Button>
              )
            }
          >
            {refusalText(error)}
          </Alert>
        )}
        <Button variant="primary" data-action="edit" disabled={dirty.length === 0} loading={isSaving}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  )
}
