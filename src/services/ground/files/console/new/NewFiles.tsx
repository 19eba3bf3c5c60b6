import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Header from '@cloudscape-design/components/header'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import type { Language } from '../../../../../console/language.ts'
import { UploadDrop } from '../../../../../console/uploads/UploadDrop.tsx'
import { type BizTag, bizTagOf, bizTagRules, bizTags, fileLimits } from '../../rules.ts'
import { uploads } from '../uploads.ts'
import { Fetches } from './Fetches.tsx'
import { FetchFile } from './FetchFile.tsx'

const ways = ['upload', 'fetch'] as const
type Way = (typeof ways)[number]

/** Where files come in: from this computer, or from an address. */
export function NewFiles() {
  const { t, i18n } = useTranslation('ground/files')
  const [way, setWay] = useState<Way>('upload')
  const [bizTag, setBizTag] = useState<BizTag>()
  const size = (bytes: number) => sizeText(bytes, i18n.resolvedLanguage as Language)
  const kinds = [
    { value: '', label: t('upload.byName'), description: t('upload.byNameText') },
    ...bizTags.map(tag => ({
      value: tag,
      label: t(`kinds.${tag}`),
      description: t('upload.limit', { limit: size(bizTagRules[tag].limitBytes) }),
    })),
  ]
  const check = ({ name, size: bytes }: File) => {
    const { limitBytes } = bizTagRules[bizTag ?? bizTagOf(name)]
    if (bytes === 0) return t('upload.isEmpty', { name })
    if (name.length > fileLimits.nameLength) return t('upload.longName', { name, limit: fileLimits.nameLength })
    return bytes > limitBytes ? t('upload.tooLarge', { name, limit: size(limitBytes) }) : undefined
  }
  return (
    <Container
      header={
        <Header variant="h2" description={t('upload.text')}>
          {t('upload.title')}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <div className="files-ways">
          <SegmentedControl
            label={t('upload.way')}
            selectedId={way}
            options={ways.map(one => ({ id: one, text: t(`ways.${one}`) }))}
            onChange={({ detail }) => setWay(detail.selectedId as Way)}
          />
          <FormField label={t('upload.kind')}>
            <Select
              selectedOption={kinds.find(one => one.value === (bizTag ?? '')) ?? null}
              options={kinds}
              expandToViewport
              onChange={({ detail }) => setBizTag((detail.selectedOption.value || undefined) as BizTag | undefined)}
            />
          </FormField>
        </div>
        {way === 'upload' ? (
          <UploadDrop
            uploads={uploads}
            wish={bizTag ? { bizTag } : {}}
            isHere={() => true}
            check={check}
            label={t('upload.choose')}
            hint={t('upload.hint')}
          />
        ) : (
          <FetchFile bizTag={bizTag} />
        )}
        <Fetches />
      </SpaceBetween>
    </Container>
  )
}
