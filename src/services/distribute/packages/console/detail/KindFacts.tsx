import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { useTranslation } from 'react-i18next'
import { ByteSize } from '../../../../../console/kit/ByteSize.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import { When } from '../../../../../console/kit/When.tsx'
import { deviceTypeWords, releaseWord, wordOf } from '../kind-words.ts'
import type { PackageView } from '../package-calls.ts'
import { Copied } from './Copied.tsx'

type Pairs = { label: string; value: React.ReactNode }[]

/** What only packages of this kind have, and the parts they are made of. */
export function KindFacts({ one }: { one: PackageView }) {
  const { t } = useTranslation('distribute/packages')
  const pairs = usePairs(one)
  if (pairs.length + one.modules.length === 0) return null
  return (
    <Container header={<Header variant="h2">{t('kind.title', { kind: one.kind })}</Header>}>
      <SpaceBetween size="l">
        {pairs.length > 0 && <KeyValuePairs columns={3} minColumnWidth={220} items={pairs} />}
        {one.modules.length > 0 && (
          <section>
            <h3>{t('kind.modules')}</h3>
            <ul className="packages-changes">
              {one.modules.map(part => (
                <li key={part.name}>
                  <span>
                    <strong translate="no">{part.name}</strong>{' '}
                    <span className="lg-soft">
                      {[
                        part.type && wordOf('moduleTypes', part.type),
                        part.delivery && wordOf('deliveries', part.delivery),
                        part.deviceTypes && deviceTypeWords(part.deviceTypes),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                  <ByteSize value={part.sizeBytes} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </SpaceBetween>
    </Container>
  )
}

function usePairs(one: PackageView): Pairs {
  const { t } = useTranslation('distribute/packages')
  const { bundle, harmony, quickApp, site, program, expansion } = one.details
  const profile = harmony?.profile
  const pairs: [string, React.ReactNode | null | undefined][] = [
    [t('kind.madeBy'), bundle?.madeBy && data(`bundletool ${bundle.madeBy}`)],
    [t('kind.apk'), one.installable && <ByteSize value={one.installable.sizeBytes} />],
    [t('kind.apkDigest'), one.installable && <Copied text={one.installable.sha256} isDigest />],
    [t('kind.uploadKey'), one.uploadSigners[0] && <Copied text={one.uploadSigners[0]} isDigest />],
    [t('kind.deviceTypes'), deviceTypeWords(one.deviceTypes)],
    [t('kind.bundleType'), harmony && wordOf('bundleTypes', harmony.bundleType)],
    [t('kind.apiRelease'), harmony && releaseWord(harmony.apiReleaseType)],
    [
      t('kind.profile'),
      profile && (
        <StatusBadge
          tone={profile.type === 'release' ? 'good' : 'caution'}
          text={profile.type === 'release' ? t('kind.release') : t('kind.debug')}
        />
      ),
    ],
    [t('kind.developerId'), data(profile?.developerId)],
    [
      t('kind.profileValid'),
      profile && (
        <>
          <When at={profile.notBefore} /> – <When at={profile.notAfter} />
        </>
      ),
    ],
    [t('kind.acls'), data(profile?.acls.join(', '))],
    [t('kind.appType'), quickApp && wordOf('quickTypes', quickApp.appType)],
    [t('kind.entry'), data(quickApp?.entry)],
    [t('kind.address'), quickApp?.address && <Copied text={quickApp.address} />],
    [t('kind.startUrl'), data(site?.startUrl)],
    [t('kind.files'), site?.files],
    [t('kind.expanded'), site && <ByteSize value={site.expandedBytes} />],
    [t('kind.webManifest'), data(site?.manifest)],
    [t('kind.machine'), program && t('kind.bits', { machine: program.machine, bits: program.bits })],
    [t('kind.subsystem'), program && wordOf('subsystems', program.subsystem)],
    [t('kind.company'), data(program?.company)],
    [t('kind.description'), data(program?.description)],
    [t('kind.timestamp'), program && (program.isTimestamped ? t('facts.yes') : t('facts.no'))],
    [t('kind.slot'), expansion && wordOf('slots', expansion.slot)],
    [t('kind.ofVersion'), expansion?.versionCode],
    [t('kind.ofPackage'), data(expansion?.packageName)],
  ]
  return pairs.flatMap(([label, value]) =>
    value === undefined || value === null || value === '' ? [] : [{ label, value }],
  )
}

/** What somebody wrote into the package: it is in no language of ours. */
function data(text: string | null | undefined): React.ReactNode {
  return text ? <span translate="no">{text}</span> : null
}
