import { useAction } from '../../../../console/use-action.ts'
import { api, type VersionView } from './version-calls.ts'

type Change = Omit<Parameters<typeof api.updateVersion>[0]['body'], 'versionId' | 'revision'>

/** Writes some fields of the version being prepared, on the revision that is on screen. */
export function useVersionEdit(version: VersionView, onDone: () => void) {
  const act = useAction(api.updateVersion, { onDone, errors: 'form' })
  const { versionId, revision } = version
  const save = (change: Change) => act.run({ body: { versionId, revision, ...change } }, { revision })
  return { act, save }
}
