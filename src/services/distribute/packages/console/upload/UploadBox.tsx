import Alert from '@cloudscape-design/components/alert'
import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import RadioGroup from '@cloudscape-design/components/radio-group'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import type { Language } from '../../../../../console/language.ts'
import { UploadDrop } from '../../../../../console/uploads/UploadDrop.tsx'
import { endingsOf, limits, type PackageUsage, packageUsages } from '../../rules.ts'
import { FreshPackage } from './FreshPackage.tsx'
import { uploads } from './uploads.ts'

/** Where packages come in: what they are for, the drop field, and everything that is on its way. */
export function UploadBox({ appId, packageType }: { appId: string; packageType: string }) {
  const { t, i18n } = useTranslation(['distribute/packages', 'ground/files'])
  const [usage, setUsage] = useState<PackageUsage>('TEST_AND_FORMAL')
  const all = useSyncExternalStore(uploads.store.subscribe, uploads.store.get)
  const mine = all.filter(one => one.appId === appId)
  const endings = endingsOf(packageType)
  const limit = sizeText(limits.sizeBytes, i18n.resolvedLanguage as Language)

  const check = (file: File) => {
    const name = file.name
    if (!endings.some(ending => name.toLowerCase().endsWith(`.${ending}`)))
      return t('upload.wrongKind', { name, endings: endings.join(', ') })
    if (file.size > limits.sizeBytes) return t('upload.tooLarge', { name, limit })
    return file.size === 0 ? t('upload.isEmpty', { name }) : undefined
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
        <UploadDrop
          uploads={uploads}
          wish={{ appId, usage }}
          isHere={one => one.appId === appId}
          check={check}
          label={t('upload.choose')}
          hint={t('upload.hint', { endings: endings.map(one => one.toUpperCase()).join(', '), limit })}
          accept={endings.map(one => `.${one}`).join(',')}
        />
        {mine.map(one => one.made && <FreshPackage key={one.nspUploadId} upload={one} made={one.made} />)}
      </SpaceBetween>
    </Container>
  )
}
