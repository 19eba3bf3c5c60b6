import Button from '@cloudscape-design/components/button'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import { Film } from '../../../../../console/kit/Film.tsx'
import type { Language } from '../../../../../console/language.ts'
import { UploadDrop } from '../../../../../console/uploads/UploadDrop.tsx'
import { filmCoverRule, filmMaxBytes, filmMime } from '../../listing/rules.ts'
import { FilmFacts } from './FilmFacts.tsx'
import { filmUploads } from './film-uploads.ts'
import { ImagesField } from './ImagesField.tsx'
import type { FilmView, ImageView } from './listing-form.ts'

interface FilmFieldProps {
  versionId: string
  lang: string
  film: FilmView | null
  cover: ImageView | null
  /** As the server has it, with what was found. */
  saved: FilmView | null
  addresses: ReadonlyMap<string, string>
  error?: string | undefined
  coverError?: string | undefined
  onChange: (film: FilmView | null) => void
  onCover: (cover: ImageView | null) => void
}

/** The film of one language: sent with its progress, looked at, taken away; and what is shown before it begins. */
export function FilmField(props: FilmFieldProps) {
  const { versionId, lang, film, cover, saved, addresses, error, coverError, onChange, onCover } = props
  const { t, i18n } = useTranslation('distribute/versions')
  const uploads = useSyncExternalStore(filmUploads.store.subscribe, filmUploads.store.get)
  const isHere = (one: { versionId: string; lang: string }) => one.versionId === versionId && one.lang === lang
  const arrived = uploads.find(one => isHere(one) && one.made)
  useEffect(() => {
    if (!arrived?.made) return
    filmUploads.clear(arrived.nspUploadId)
    onChange(arrived.made)
  }, [arrived, onChange])

  const limit = sizeText(filmMaxBytes, i18n.resolvedLanguage as Language)
  const check = ({ name, type, size }: File) => {
    if (type !== filmMime) return t('film.wrongKind', { name })
    return size > filmMaxBytes ? t('film.tooLarge', { name, limit }) : undefined
  }
  const isSaved = saved !== null && saved.objectId === film?.objectId
  const src = film && addresses.get(film.objectId)
  return (
    <>
      <FormField
        stretch
        label={t('listing.film')}
        description={t('listing.filmText')}
        constraintText={t('film.hint', { limit })}
        errorText={error}
      >
        {film ? (
          <SpaceBetween size="xs">
            {src && (
              <Film src={src} cover={cover ? addresses.get(cover.objectId) : undefined} name={t('listing.film')} />
            )}
            <FilmFacts film={isSaved ? saved : film} lang={lang} isSaved={isSaved} />
            <Button formAction="none" iconName="remove" onClick={() => onChange(null)}>
              {t('film.remove')}
            </Button>
          </SpaceBetween>
        ) : (
          <UploadDrop
            uploads={filmUploads}
            wish={{ versionId, lang }}
            isHere={isHere}
            check={check}
            label={t('film.add')}
            hint={t('film.hint', { limit })}
            accept={filmMime}
            isSingle
          />
        )}
      </FormField>
      {film && (
        <ImagesField
          label={t('listing.filmCover')}
          description={t('listing.filmCoverText')}
          add={t('film.addCover')}
          rule={filmCoverRule}
          max={1}
          images={cover ? [cover] : []}
          addresses={addresses}
          error={coverError}
          onChange={([next]) => onCover(next ?? null)}
        />
      )}
    </>
  )
}
