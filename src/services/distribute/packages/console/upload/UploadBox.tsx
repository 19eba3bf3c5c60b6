import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../../../console/error-text.ts'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import { FileDrop } from '../../../../../console/kit/FileDrop.tsx'
import type { Language } from '../../../../../console/language.ts'
import { endingsOf, limits, type PackageUsage, packageUsages } from '../../rules.ts'
import { BrokenUploads } from './BrokenUploads.tsx'
import { FreshPackage } from './FreshPackage.tsx'
import { pauseUpload, removeUpload, resumeUpload, startUpload, uploads } from './uploads.ts'

/** Where packages come in: what they are for, the drop field, and everything that is on its way. */
export function UploadBox({ appId, packageType }: { appId: string; packageType: string }) {
  const { t, i18n } = useTranslation(['distribute/packages', 'ground/files'])
  const [usage, setUsage] = useState<PackageUsage>('TEST_AND_FORMAL')
  const [refused, setRefused] = useState<readonly string[]>([])
  const all = useSyncExternalStore(uploads.subscribe, uploads.get)
  const mine = all.filter(one => one.appId === appId)
  const endings = endingsOf(packageType)
  const limit = sizeText(limits.sizeBytes, i18n.resolvedLanguage as Language)

  const take = (files: File[]) => {
    setRefused([])
    for (const file of files) {
      const name = file.name
      const fits = endings.some(ending => name.toLowerCase().endsWith(`.${ending}`))
      const text = !fits
        ? t('upload.wrongKind', { name, endings: endings.join(', ') })
        : file.size > limits.sizeBytes
          ? t('upload.tooLarge', { name, limit })
          : file.size === 0
            ? t('upload.isEmpty', { name })
            : undefined
      if (text) setRefused(before => [...before, text])
      else startUpload(file, { appId, usage }).catch(error => setRefused(before => [...before, errorText(error)]))
    }
  }
  if (endings.length === 0) return <Alert type="info">{t('upload.noKind')}</Alert>
  return (
    <Container
      header={
        <Header variant="h2" description={t('upload.text')}>
          {t('upload.title')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <FormField label={t('upload.usage')}>
          <RadioGroup
            value={usage}
            direction="horizontal"
            items={[...packageUsages].reverse().map(one => ({
              value: one,
              label: t(`usages.${one}`),
              description: t(`usageTexts.${one}`),
            }))}
            onChange={({ detail }) => setUsage(detail.value as PackageUsage)}
          />
        </FormField>
        <BrokenUploads appId={appId} />
        {refused.length > 0 && (
          <Alert type="error" dismissible onDismiss={() => setRefused([])}>
            {refused.map(text => (
              <div key={text}>{text}</div>
            ))}
          </Alert>
        )}
        <FileDrop
          label={t('upload.choose')}
          hint={t('upload.hint', { endings: endings.map(one => one.toUpperCase()).join(', '), limit })}
          accept={endings.map(one => `.${one}`).join(',')}
          isMultiple
          onFiles={take}
          transfers={mine
            .filter(one => one.state !== 'done')
            .map(one => ({
              id: one.nspUploadId,
              name: one.fileName,
              sizeBytes: one.sizeBytes,
              sentBytes: one.sentBytes,
              state: one.state,
              error: one.error,
              onPause: () => pauseUpload(one.nspUploadId),
              onResume: () => void resumeUpload(one.nspUploadId),
              onRemove: () => void removeUpload(one),
            }))}
        />
        {mine.map(one => one.made && <FreshPackage key={one.nspUploadId} upload={one} made={one.made} />)}
      </SpaceBetween>
    </Container>
  )
}
