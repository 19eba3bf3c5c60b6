import type { Finding } from '../apk/findings.ts'
import type { ZipArchive } from '../apk/zip.ts'
import type { PrivacyManifest } from '../tables.ts'
import { objectsAt, type parseObject, readJson, textAt, textsAt } from './json.ts'

const FILES = ['pac.json', 'ets/pac.json', 'resources/rawfile/pac.json', 'pac.json5']

/** The privacy manifest of a package, where it has one. */
export async function readPrivacy(archive: ZipArchive, findings: Finding[]): Promise<PrivacyManifest | null> {
  const file = FILES.find(one => archive.byName.has(one))
  const json = file === undefined ? null : await readJson(archive, file, findings)
  return json && privacyOf(json)
}

/** The known fields of a pac.json. */
export function privacyOf(json: ReturnType<typeof parseObject>): PrivacyManifest {
  return {
    dataProcess: objectsAt(json, 'dataProcess').flatMap(entry => {
      const labels = objectsAt(entry, 'dataLabels')
      return labels.map(label => ({
        dataType: textAt(entry, 'dataType') ?? '',
        labels: [textAt(label, 'label') ?? ''].filter(one => one !== ''),
        purposes: textsAt(label, 'purposes'),
        isLinked: label['userLinked'] === true,
        isTracking: label['tracking'] === true,
      }))
    }),
    specialApis: objectsAt(json, 'specialAPIs').map(api => ({
      apiType: textAt(api, 'apiType') ?? '',
      reasons: textsAt(api, 'reasons'),
    })),
  }
}
