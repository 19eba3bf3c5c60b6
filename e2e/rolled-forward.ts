import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildAab } from '../src/services/distribute/packages/bundle/build-aab.testkit.ts'
import { versions } from '../src/services/distribute/versions/contract.ts'
import { versionListings } from '../src/services/distribute/versions/listing/contract.ts'
import { versionRollback } from '../src/services/distribute/versions/rollback/contract.ts'
import { until, type Visitor } from './loggia.ts'
import { addPackage, approve, draftRelease } from './releases.ts'

/** An app whose second bundle turned out bad: the first one is out again under a higher code for those that have it. */
export async function rollForward(owner: Visitor, reviewer: Visitor, folder: string): Promise<string[]> {
  const { appId, versionId: first } = await draftRelease(owner, 'Harbour')
  const add = async (versionId: string, versionCode: number) => {
    const bundle = await buildAab(path.join(folder, `harbour-${versionCode}.aab`), {
      package: 'com.example.harbour',
      versionCode,
    })
    await addPackage(owner, appId, versionId, readFileSync(bundle), 'harbour.aab')
    // An app with a network needs its filing to go to China.
    const { version } = await owner.ok(versions, 'getVersion', { query: { appId, versionId } })
    await owner.ok(versions, 'updateVersion', {
      body: { versionId, countries: ['DE'], revision: version?.revision ?? 1 },
    })
  }
  await add(first, 10)
  await approve(owner, reviewer, { appId, versionId: first })
  const { versionId: bad } = await owner.ok(versions, 'createVersion', { body: { appId } })
  await add(bad, 20)
  const { version } = await owner.ok(versions, 'getVersion', { query: { appId, versionId: bad } })
  const news = { versionId: bad, lang: 'enUS', newFeatures: 'A thing more', revision: version?.revision ?? 1 }
  await owner.ok(versionListings, 'updateListing', { body: news })
  await approve(owner, reviewer, { appId, versionId: bad })
  await owner.ok(versionRollback, 'rollBackVersion', {
    body: { versionId: bad, mode: 'ROLL_FORWARD', reason: 'It loses what people wrote.' },
  })
  const forward = await until('the older build to be out again', async () => {
    const found = await owner.ok(versionRollback, 'getForward', { query: { versionId: bad } })
    return found.forward?.versionId
  })
  return [bad, forward].map(versionId => `/apps/${appId}/version/${versionId}`)
}
