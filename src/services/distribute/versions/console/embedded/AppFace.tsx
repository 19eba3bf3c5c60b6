import { ownAddress } from '../../../../../console/own-address.ts'
import { useCall } from '../../../../../console/use-call.ts'
import type { Answer } from '../../../../../kernel/contract.ts'
import type { apps } from '../../../apps/contract.ts'
import { filesApi } from '../version-calls.ts'

/** Icon, name and package name. */
export function AppFace({ app }: { app: Answer<typeof apps.calls.getApp> }) {
  const { iconObjectId, name, packageName } = app
  const found = useCall(
    filesApi.makeDownloadAddresses,
    { body: { objectIds: iconObjectId ? [iconObjectId] : [] } },
    { enabled: iconObjectId !== null, staleTime: 30 * 60_000 },
  )
  const icon = found.data?.urlsInfo[0]
  return (
    <header className="embedded-face">
      {icon ? (
        <img src={ownAddress(icon.url)} alt="" />
      ) : (
        <span className="embedded-letter" aria-hidden>
          {[...name][0]}
        </span>
      )}
      <div translate="no">
        <h1>{name}</h1>
        {packageName && <p className="embedded-soft">{packageName}</p>}
      </div>
    </header>
  )
}
