import { useTranslation } from 'react-i18next'
import { sizeText } from '../../../../../console/kit/ByteSize.tsx'
import { StatusBadge } from '../../../../../console/kit/StatusBadge.tsx'
import type { Language } from '../../../../../console/language.ts'
import { deviceTypeWord } from '../kind-words.ts'
import type { DifferenceView } from '../package-calls.ts'
import { Growth } from './Growth.tsx'
import { NameChanges } from './NameChanges.tsx'

export function Differences({ found }: { found: DifferenceView }) {
  const { t, i18n } = useTranslation('distribute/packages')
  const { from, to, signer } = found
  const language = i18n.resolvedLanguage as Language
  const size = (bytes: number) => sizeText(bytes, language)
  const signed = (bytes: number) => `${bytes < 0 ? '−' : '+'}${size(Math.abs(bytes))}`
  const yes = (is: boolean) => (is ? t('facts.yes') : t('facts.no'))
  const sdks = {
    added: [...found.sdks.added, ...found.sdks.changed.map(one => `${one.name} ${one.to}`)],
    removed: [...found.sdks.removed, ...found.sdks.changed.map(one => `${one.name} ${one.from}`)],
  }
  const rows: [label: string, before: string, after: string, note?: string][] = [
    [t('facts.versionName'), from.versionName ?? '–', to.versionName ?? '–'],
    [t('facts.versionCode'), from.versionCode ?? '–', to.versionCode ?? '–'],
    [
      t('table.size'),
      size(from.sizeBytes),
      size(to.sizeBytes),
      to.sizeBytes === from.sizeBytes ? '' : signed(to.sizeBytes - from.sizeBytes),
    ],
    [t('facts.minSdk'), String(from.minSdk ?? '–'), String(to.minSdk ?? '–')],
    [t('facts.targetSdk'), String(from.targetSdk ?? '–'), String(to.targetSdk ?? '–')],
    [t('facts.debuggable'), yes(from.debuggable), yes(to.debuggable)],
  ]
  return (
    <div className="packages-differences">
      {signer.isSame ? (
        <StatusBadge tone="good" text={t('compare.sameSigner')} />
      ) : signer.isProven ? (
        <StatusBadge tone="info" text={t('compare.provenSigner')} />
      ) : (
        <StatusBadge tone="bad" text={t('compare.otherSigner')} />
      )}
      <table className="packages-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{t('compare.before')}</th>
            <th scope="col">{t('compare.after')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, before, after, note]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{before}</td>
              <td>
                {before === after ? <span className="lg-soft">{after}</span> : <strong>{after}</strong>}{' '}
                {note && <span className="lg-soft">{note}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.folders.length > 0 && (
        <section>
          <h3>{t('compare.folders')}</h3>
          <Growth
            rows={found.folders.map(({ folder, ...bytes }) => ({
              name: folder === '/' ? t('folders.root') : folder === '...' ? t('folders.rest') : `${folder}/`,
              ...bytes,
            }))}
          />
        </section>
      )}
      <NameChanges title={t('permissions.title')} changes={found.permissions} />
      <NameChanges title={t('compare.exported')} changes={found.exported} />
      <NameChanges title={t('contents.components')} changes={found.components} />
      <NameChanges title={t('permissions.features')} changes={found.features} />
      <NameChanges title={t('facts.abis')} changes={found.abis} />
      <NameChanges title={t('contents.languages')} changes={found.languages} />
      <NameChanges title={t('kind.deviceTypes')} changes={found.deviceTypes} wordOf={deviceTypeWord} />
      <NameChanges title={t('contents.sdks')} changes={sdks} />
      {found.nativeLibraries.length > 0 && (
        <section>
          <h3>{t('compare.libraries')}</h3>
          <Growth rows={found.nativeLibraries} />
        </section>
      )}
      {found.modules.length > 0 && (
        <section>
          <h3>{t('kind.modules')}</h3>
          <Growth rows={found.modules} />
        </section>
      )}
    </div>
  )
}
