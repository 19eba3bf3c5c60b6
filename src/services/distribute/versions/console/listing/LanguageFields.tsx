import { useTranslation } from 'react-i18next'
import type { ContractForm } from '../../../../../console/kit/contract-form.ts'
import { limitsOf } from '../../../../../console/kit/form-rules.ts'
import { TextAreaField } from '../../../../../console/kit/TextAreaField.tsx'
import { TextField } from '../../../../../console/kit/TextField.tsx'
import { iconRuleOf, screenshotRuleOf } from '../../listing/rules.ts'
import type { AppView } from '../version-calls.ts'
import { FilmField } from './FilmField.tsx'
import { ImagesField } from './ImagesField.tsx'
import type { FilmView, ImageView, LanguageValues, ListingValues, TextName } from './listing-form.ts'

type MediaName = 'icon' | 'screenshots' | 'film' | 'filmCover'

interface LanguageFieldsProps {
  lang: string
  of: ContractForm<ListingValues>
  app: AppView
  values: LanguageValues
  addresses: ReadonlyMap<string, string>
  versionId: string
  /** The film as the server has it. */
  savedFilm: FilmView | null
}

/** The texts and pictures of one language. */
export function LanguageFields({ lang, of, app, values, addresses, versionId, savedFilm }: LanguageFieldsProps) {
  const { t } = useTranslation('distribute/versions')
  const isDefault = lang === app.defaultLang
  const counter = (name: TextName) =>
    t('form.used', { used: [...values[name]].length, max: limitsOf(of.schema, `${lang}.${name}`)?.maxLength ?? 0 })
  const field = (name: TextName) => ({
    of,
    name: `${lang}.${name}` as const,
    label: t(`listing.${name}`),
    hint: counter(name),
  })
  const put = (name: MediaName, value: unknown) =>
    of.form.setValue(`${lang}.${name}`, value as never, { shouldDirty: true })
  const wrong = (name: MediaName) => of.form.formState.errors[lang]?.[name]?.message as string | undefined
  return (
    <div className="listing-columns">
      <div className="listing-column">
        <TextField {...field('appName')} description={t('listing.appNameText')} />
        <TextField {...field('briefInfo')} description={t('listing.briefInfoText')} />
        <TextAreaField {...field('appDesc')} rows={10} />
        <TextAreaField {...field('newFeatures')} description={t('listing.newFeaturesText')} rows={4} />
      </div>
      <div className="listing-column">
        <ImagesField
          label={t('listing.icon')}
          {...(!isDefault && { description: t('listing.fromDefault') })}
          rule={iconRuleOf(app.packageType)}
          max={1}
          isIcon
          images={values.icon ? [values.icon] : []}
          addresses={addresses}
          error={wrong('icon')}
          onChange={([icon]) => put('icon', icon ?? null)}
        />
        {app.deviceTypes.map(device => {
          const rule = screenshotRuleOf(device)
          const images: ImageView[] = values.screenshots[device] ?? []
          return (
            <ImagesField
              key={device}
              label={t('listing.screenshotsOf', { device: t(`devices.${device}`) })}
              description={
                isDefault ? t('listing.screenshotsText', { min: rule.min, max: rule.max }) : t('listing.fromDefault')
              }
              rule={rule}
              max={rule.max}
              images={images}
              addresses={addresses}
              error={wrong('screenshots')}
              onChange={next => {
                const shots = of.form.getValues(`${lang}.screenshots`) as LanguageValues['screenshots']
                put('screenshots', { ...shots, [device]: next })
              }}
            />
          )
        })}
        <FilmField
          versionId={versionId}
          lang={lang}
          film={values.film}
          cover={values.filmCover}
          saved={savedFilm}
          addresses={addresses}
          error={wrong('film')}
          coverError={wrong('filmCover')}
          onChange={film => {
            put('film', film)
            if (film === null) put('filmCover', null)
          }}
          onCover={next => put('filmCover', next)}
        />
      </div>
    </div>
  )
}
