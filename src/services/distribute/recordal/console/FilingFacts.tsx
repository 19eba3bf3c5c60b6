import KeyValuePairs from '@cloudscape-design/components/key-value-pairs'
import { useTranslation } from 'react-i18next'
import { OutsideLink } from '../../../../console/kit/OutsideLink.tsx'
import { When } from '../../../../console/kit/When.tsx'
import type { RecordalView } from './recordal-calls.ts'

/** A filing as it was handed in; identity numbers by their ends. */
export function FilingFacts({ one }: { one: RecordalView }) {
  const { t } = useTranslation('distribute/recordal')
  const isOffline = one.registeredDclType === 2
  const files = one.evidence.map(file => (
    <div key={file.objectId} translate="no">
      {file.url === null ? file.fileName : <OutsideLink href={file.url}>{file.fileName}</OutsideLink>}
    </div>
  ))
  return (
    <KeyValuePairs
      columns={3}
      minColumnWidth={180}
      items={[
        { label: t('dclType'), value: t(`dclTypes.${one.registeredDclType}`) },
        ...(isOffline
          ? []
          : [
              { label: t('number'), value: <span translate="no">{one.recordalNumber ?? '–'}</span> },
              {
                label: t('entity'),
                value: (
                  <>
                    <span translate="no">{one.registeredEntityName}</span>
                    <div className="lg-soft">
                      {one.registeredEntity !== null && t(`entities.${one.registeredEntity}`)}
                    </div>
                  </>
                ),
              },
              {
                label: t(`idTypes.${one.registeredIdType}`),
                value: <span translate="no">{one.registeredIdNumber ?? '–'}</span>,
              },
              { label: t('evidence'), value: files.length > 0 ? files : '–' },
            ]),
        { label: t('checkedAt'), value: <When at={one.checkedAt} /> },
      ]}
    />
  )
}
