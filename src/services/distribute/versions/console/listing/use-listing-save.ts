import i18next from 'i18next'
import { useState } from 'react'
import type { CallError } from '../../../../../console/call-error.ts'
import { isCallError } from '../../../../../console/call-error.ts'
import type { ContractForm } from '../../../../../console/kit/contract-form.ts'
import { notify } from '../../../../../console/notify.ts'
import { queryClient } from '../../../../../console/use-call.ts'
import { commonErrors } from '../../../../../kernel/errors.ts'
import { versionListings } from '../../listing/contract.ts'
import { listingApi, type VersionView } from '../version-calls.ts'
import { ns, refusalText } from '../version-words.ts'
import { misfitText } from './image-words.ts'
import { bodyOf, changedFields, type LanguageValues, type ListingValues, textFields } from './listing-form.ts'

const fieldOfImage: Readonly<Record<string, 'icon' | 'filmCover'>> = { icon: 'icon', cover: 'filmCover' }

interface SaveOptions {
  of: ContractForm<ListingValues>
  version: VersionView
  saved: ListingValues
  setSaved: (change: (before: ListingValues) => ListingValues) => void
  onChoose: (lang: string) => void
}

/** Sends what changed, one language after the other, each on the revision the one before left; stops at a refusal. */
export function useListingSave({ of, version, saved, setSaved, onChoose }: SaveOptions) {
  const [error, setError] = useState<CallError | null>(null)
  const [isSaving, setSaving] = useState(false)
  const [revision, setRevision] = useState(version.revision)
  const { form } = of

  const saveOne = async (lang: string, on: number): Promise<number> => {
    const now = form.getValues(lang) as LanguageValues
    const changed = changedFields(now, saved[lang])
    const { versionId } = version
    const { version: after } = await listingApi.updateListing(
      { body: { versionId, lang, ...bodyOf(now, changed), revision: on } },
      { revision: on },
    )
    setSaved(before => ({ ...before, [lang]: structuredClone(now) }))
    return after.revision
  }

  const place = (lang: string, refusal: CallError) => {
    const field = String(refusal.detail['field'] ?? refusal.fields[0]?.pointer.split('/')[1] ?? '')
    const misfit = refusal.detail as { image?: string; expected?: string; actual?: string }
    if (misfit.image && misfit.expected && misfit.actual) {
      const message = misfitText({ expected: misfit.expected, actual: misfit.actual })
      form.setError(`${lang}.${fieldOfImage[misfit.image] ?? 'screenshots'}`, { type: 'server', message })
    } else if (field === 'filmObjectId') {
      form.setError(`${lang}.film`, { type: 'server', message: refusalText(refusal) })
    } else if ((textFields as readonly string[]).includes(field)) {
      form.setError(`${lang}.${field}`, { type: 'server', message: refusalText(refusal) })
    } else if (refusal.number === versionListings.errors.emojiInName[0]) {
      form.setError(`${lang}.appName`, { type: 'server', message: refusalText(refusal) })
    }
  }

  const save = async (dirty: readonly string[]) => {
    setError(null)
    setSaving(true)
    let on = revision
    try {
      for (const lang of dirty) {
        const changed = changedFields(form.getValues(lang) as LanguageValues, saved[lang])
        const typed = textFields.filter(name => changed.includes(name) && lang in saved).map(name => `${lang}.${name}`)
        if (!(await form.trigger(typed))) return onChoose(lang)
        try {
          on = await saveOne(lang, on)
          form.clearErrors(lang)
        } catch (refusal) {
          if (!isCallError(refusal)) throw refusal
          place(lang, refusal)
          onChoose(lang)
          return setError(refusal)
        }
      }
      notify({ tone: 'success', text: i18next.t('listing.saved', { ns }) })
    } finally {
      setRevision(on)
      setSaving(false)
      await queryClient.invalidateQueries({ queryKey: [listingApi.updateListing.service] })
    }
  }
  return { save, error, isSaving, isStale: error?.number === commonErrors.stale[0] }
}
