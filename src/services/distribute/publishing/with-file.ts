import type { Input } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import type { Ask } from '../../../server/asking.ts'
import type { Context } from '../../../server/context.ts'
import { badField } from '../../../server/http/problem.ts'
import { fileTasks } from '../../ground/files/tasks/contract.ts'
import { publishing } from './contract.ts'
import { putPackage } from './file-info.ts'
import { openVersion } from './public.ts'
import { submit } from './release.ts'
import { limits } from './rules.ts'

type Wish = Input<(typeof publishing)['calls']['submitWithFile']>
const { errors } = publishing

/** The package comes from an address of the developer; the version goes to the store by itself once it is read. */
export async function submitWithFile(ask: Ask, { query, body }: Wish, ctx: Context) {
  const { appId } = query
  const version = await openVersion(ask, appId)
  checkAddress(ctx, body.downloadUrl)
  const objectId = await fetched(ask, body)
  const { pkgVersion } = await putPackage(ask, version, objectId, ctx)
  const { releaseType = query.releaseType, releaseTime, remark } = body
  const wish = { appId, releaseType, releaseTime, remark, phased: body, submitWhenReady: true }
  return { ...(await submit(ask, wish, ctx)), pkgVersion }
}

function checkAddress(ctx: Context, address: string): void {
  try {
    ctx.server.outbound.check(address)
  } catch (error) {
    throw badField('/downloadUrl', 'address', (error as Error).message)
  }
}

/** The file as an object here. The call stays open meanwhile: tools ask once. */
async function fetched(ask: Ask, { downloadUrl, downloadFileName }: Wish['body']): Promise<string> {
  const { waitSeconds, fetchSeconds } = limits
  const body = { url: downloadUrl, fileName: downloadFileName, bizTag: 'app_pkg' as const, waitSeconds }
  let task = await ask(fileTasks, 'fetchByUrl', { body })
  for (let waited: number = waitSeconds; task.state === 'RUNNING' && waited < fetchSeconds; waited += waitSeconds) {
    task = await ask(fileTasks, 'getFetched', { query: { taskId: task.taskId, waitSeconds } })
  }
  if (task.state === 'DONE') return task.objectId
  const reason = task.error?.message ?? `It takes longer than ${fetchSeconds / 60} minutes.`
  return refuse(errors.fileNotFetched, { reason })
}
