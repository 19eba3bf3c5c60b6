import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError } from '../../../../console/call-error.ts'
import { errorText } from '../../../../console/error-text.ts'
import { DialogBox } from '../../../../console/kit/DialogBox.tsx'
import { FileDrop } from '../../../../console/kit/FileDrop.tsx'
import { useAction } from '../../../../console/use-action.ts'
import { limits } from '../tests/rules.ts'
import { api, filesApi, type TestView, type VariantView } from './material-calls.ts'

interface Draft {
  lang: string
  name: string
  brief: string
  icon: string | null
  film: string | null
  shots: string[]
}

interface VariantDialogProps {
  test: TestView
  variant: VariantView | null
  deviceType: number
  onClose: () => void
}

/** The materials of a variant, of those elements that the test is about. */
export function VariantDialog({ test, variant, deviceType, onClose }: VariantDialogProps) {
  const { t } = useTranslation('distribute/material')
  const [name, setName] = useState(variant?.name ?? '')
  const [share, setShare] = useState(variant ? String(variant.share) : '')
  const [drafts, setDrafts] = useState<Draft[]>(() => test.langs.map(lang => draftOf(lang, variant)))
  const [problem, setProblem] = useState<string | null>(null)
  const done = { errors: 'form' as const, onDone: onClose }
  const create = useAction(api.createVariant, done)
  const update = useAction(api.updateVariant, done)
  const { testId, revision, elements } = test
  const materials = drafts.map(draft => wishOf(draft, test, deviceType))
  const wish = { name, materials, revision, ...(share !== '' && { share: Number(share) }) }
  const set = (lang: string, change: Partial<Draft>) =>
    setDrafts(before => before.map(one => (one.lang === lang ? { ...one, ...change } : one)))
  const send = async (given: readonly File[], bizTag: 'app_img' | 'app_video', keep: (ids: string[]) => void) => {
    setProblem(null)
    try {
      const ids: string[] = []
      for (const file of given) {
        const query = { fileName: file.name, bizTag, size: file.size }
        const { urlsInfo } = await filesApi.uploadObject({ query, body: file })
        ids.push(...urlsInfo.map(one => one.objectId))
      }
      keep(ids)
    } catch (error) {
      if (!isCallError(error)) throw error
      setProblem(errorText(error))
    }
  }
  const error = create.error ?? update.error
  return (
    <DialogBox
      title={variant ? t('variant.edit', { name: variant.name }) : t('variant.add')}
      action={variant ? 'updateVariant' : 'createVariant'}
      size="large"
      isRunning={create.isRunning || update.isRunning}
      canSubmit={name.trim() !== '' && name.length <= limits.variantNameLength}
      refusal={problem ?? (error && errorText(error))}
      onSubmit={() =>
        void (variant
          ? update.run({ body: { variantId: variant.variantId, ...wish } })
          : create.run({ body: { testId, ...wish } }))
      }
      onClose={onClose}
    >
      <SpaceBetween size="m">
        <div className="material-fields">
          <FormField label={t('field.name')}>
            <Input value={name} onChange={({ detail }) => setName(detail.value)} />
          </FormField>
          <FormField label={t('variant.share')} description={t('variant.shareText')}>
            <Input type="number" value={share} onChange={({ detail }) => setShare(detail.value)} />
          </FormField>
        </div>
        {drafts.map(draft => (
          <fieldset key={draft.lang} className="material-lang">
            <legend>{draft.lang}</legend>
            <SpaceBetween size="s">
              {elements.includes('name') && (
                <FormField stretch label={t('elements.name')}>
                  <Input value={draft.name} onChange={({ detail }) => set(draft.lang, { name: detail.value })} />
                </FormField>
              )}
              {elements.includes('brief') && (
                <FormField stretch label={t('elements.brief')}>
                  <Input value={draft.brief} onChange={({ detail }) => set(draft.lang, { brief: detail.value })} />
                </FormField>
              )}
              {elements.includes('icon') && (
                <FileDrop
                  label={t(draft.icon ? 'variant.replaceIcon' : 'variant.icon')}
                  hint={t('variant.iconHint')}
                  accept=".png,.webp"
                  onFiles={given => void send(given, 'app_img', ([icon = null]) => set(draft.lang, { icon }))}
                />
              )}
              {elements.includes('screenshots') && (
                <FileDrop
                  label={t('variant.shots', { count: draft.shots.length })}
                  hint={t('variant.shotsHint')}
                  accept=".png,.jpg,.jpeg,.webp"
                  isMultiple
                  onFiles={given => void send(given, 'app_img', shots => set(draft.lang, { shots }))}
                />
              )}
              {elements.includes('video') && (
                <FileDrop
                  label={t(draft.film ? 'variant.replaceFilm' : 'variant.film')}
                  accept=".mp4"
                  onFiles={given => void send(given, 'app_video', ([film = null]) => set(draft.lang, { film }))}
                />
              )}
            </SpaceBetween>
          </fieldset>
        ))}
      </SpaceBetween>
    </DialogBox>
  )
}

function draftOf(lang: string, variant: VariantView | null): Draft {
  const known = variant?.materials.find(one => one.lang === lang)
  return {
    lang,
    name: known?.name ?? '',
    brief: known?.brief ?? '',
    icon: known?.icon?.objectId ?? null,
    film: known?.film?.objectId ?? null,
    shots: (known?.screenshots ?? []).flatMap(device => device.images.map(image => image.objectId)),
  }
}

function wishOf({ lang, name, brief, icon, film, shots }: Draft, { elements }: TestView, deviceType: number) {
  return {
    lang,
    ...(elements.includes('name') && { name: name.trim() || null }),
    ...(elements.includes('brief') && { brief: brief.trim() || null }),
    ...(elements.includes('icon') && { iconObjectId: icon }),
    ...(elements.includes('video') && { filmObjectId: film }),
    ...(elements.includes('screenshots') && {
      screenshots: shots.length === 0 ? null : [{ deviceType, showType: 0, objectIds: shots }],
    }),
  }
}
