import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import Icon, { type IconProps } from '@cloudscape-design/components/icon'
import { useTranslation } from 'react-i18next'
import type { CertificateView, SigningView } from '../contract.ts'

interface Station {
  id: string
  icon: IconProps.Name
  title: string
  /** Whose hands it is in. */
  owner: string
  digest: string | null
  isIdle?: boolean
}

/** The way of a package: who signs what, from the developer's machine to the devices; keys that came one after another as a chain. */
export function SigningPicture({ one, upload }: { one: SigningView; upload: CertificateView | null }) {
  const { t } = useTranslation('distribute/signing')
  const isStore = one.mode === 'STORE'
  const own = isStore ? (upload?.certSha256 ?? one.uploadCertSha256) : (one.developerCert?.certSha256 ?? null)
  const stations: Station[] = [
    {
      id: 'developer',
      icon: 'upload',
      title: isStore ? t('picture.uploadKey') : t('picture.developerKey'),
      owner: t('picture.withYou'),
      digest: own,
    },
    {
      id: 'store',
      icon: isStore ? 'key' : 'arrow-right',
      title: isStore ? t('picture.storeKey') : t('picture.passedOn'),
      owner: t('picture.withStore'),
      digest: one.appKey?.certificate.certSha256 ?? null,
      isIdle: !isStore,
    },
    {
      id: 'devices',
      icon: 'multiscreen',
      title: t('picture.devices'),
      owner: t(one.lineage.length > 1 ? 'picture.seeBoth' : 'picture.see'),
      digest: isStore ? (one.appKey?.certificate.certSha256 ?? null) : own,
    },
  ]
  return (
    <Container header={<Header variant="h2">{t('picture.title')}</Header>}>
      <ol className="signing-way" aria-label={t('picture.title')}>
        {stations.map(station => (
          <li key={station.id} className={station.isIdle ? 'signing-idle' : undefined}>
            <span className="signing-icon" aria-hidden="true">
              <Icon name={station.icon} size="medium" />
            </span>
            <strong>{station.title}</strong>
            <span className="lg-soft">{station.owner}</span>
            {station.digest !== null && <Digest text={station.digest} />}
          </li>
        ))}
      </ol>
      {one.lineage.length > 1 && <Lineage certificates={one.lineage} />}
    </Container>
  )
}

function Lineage({ certificates }: { certificates: readonly CertificateView[] }) {
  const { t } = useTranslation('distribute/signing')
  const last = certificates.length - 1
  const roleOf = (index: number) => {
    if (index === last) return t('lineage.now')
    return index === 0 ? t('lineage.first') : t('lineage.between')
  }
  return (
    <section className="signing-lineage" aria-label={t('lineage.title')}>
      <strong>{t('lineage.title')}</strong>
      <ol>
        {certificates.map((one, index) => (
          <li key={one.certSha256} className={index === last ? 'signing-newest' : undefined}>
            <Digest text={one.certSha256} />
            <span className="lg-soft">{roleOf(index)}</span>
          </li>
        ))}
      </ol>
      <span className="lg-soft">{t('lineage.text')}</span>
    </section>
  )
}

/** The beginning of a digest is enough to tell certificates apart; the whole stands below. */
function Digest({ text }: { text: string }) {
  return (
    <code className="signing-short" title={text} translate="no">
      {text.slice(0, 8)}…{text.slice(-8)}
    </code>
  )
}
