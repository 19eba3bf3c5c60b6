import Badge from '@cloudscape-design/components/badge'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import type { PackageView } from '../package-calls.ts'
import { Copied } from './Copied.tsx'

export function ManifestFacts({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const text = (value: string | number | null) => value ?? '–'
  const isAndroid = one.kind === 'APK' || one.kind === 'AAB'
  const ofManifest = [
    { label: t('facts.label'), value: <span translate="no">{text(one.label)}</span> },
    { label: t('facts.packageName'), value: one.packageName ? <Copied text={one.packageName} /> : '–' },
    { label: t('facts.versionName'), value: <span translate="no">{text(one.versionName)}</span> },
    { label: t('facts.versionCode'), value: text(one.versionCode) },
    { label: t('facts.minSdk'), value: text(one.minSdk) },
    { label: t('facts.targetSdk'), value: text(one.targetSdk) },
    {
      label: t('facts.abis'),
      value:
        one.abis.length > 0 ? (
          <span className="packages-badges">
            {one.abis.map(abi => (
              <Badge key={abi}>{abi}</Badge>
            ))}
          </span>
        ) : (
          t('facts.everyAbi')
        ),
    },
    ...(isAndroid ? [{ label: t('facts.dex'), value: one.dexCount }] : []),
    {
      label: t('facts.debuggable'),
      value: one.debuggable ? <StatusBadge tone="caution" text={t('facts.yes')} /> : t('facts.no'),
    },
  ]
  const ofFile = [
    { label: t('table.kind'), value: one.kind },
    { label: t('table.size'), value: <ByteSize value={one.sizeBytes} /> },
    { label: t('table.usage'), value: t(`usages.${one.usage}`) },
    { label: t('table.used'), value: one.isHeld ? t('table.inVersion') : t('facts.unused') },
    { label: t('table.uploaded'), value: <When at={one.createdAt} /> },
    { label: 'SHA-256', value: <Copied text={one.sha256} isDigest /> },
    ...(one.remark === '' ? [] : [{ label: t('editing.remark'), value: <span translate="no">{one.remark}</span> }]),
  ]
  return (
    <Container header={<Header variant="h2">{t('facts.title')}</Header>}>
      <KeyValuePairs
        columns={3}
        minColumnWidth={220}
        items={[...(one.versionCode === null ? [] : ofManifest), ...ofFile]}
      />
    </Container>
  )
}
