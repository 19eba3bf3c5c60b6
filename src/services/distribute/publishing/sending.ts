import type { FastifyRequest } from 'fastify'
import type { Input } from '../../../kernel/contract.ts'
import { refuse } from '../../../kernel/errors.ts'
import { zones } from '../../../kernel/zones.ts'
import type { Ask } from '../../../server/asking.ts'
import { Context } from '../../../server/context.ts'
import { downloadUrlOf, takeForm } from '../../ground/files/public.ts'
import { objectUploads } from '../../ground/files/uploads/contract.ts'
import { apps } from '../apps/contract.ts'
import { publishing } from './contract.ts'
import { limits } from './rules.ts'

type Calls = (typeof publishing)['calls']
const purpose = 'publishing upload'

/**
 * An address to send a form to. Tools write the code behind the file, and no token with it, so the address itself says,
 * sealed, for whom the bytes are: nobody without one can make this server read a file.
 */
export async function uploadAddress(ask: Ask, { query }: Input<Calls['getUploadUrl']>, ctx: Context) {
  await ask(apps, 'getApp', { query: { appId: query.appId } })
  const { accountId, clientId = '' } = ctx.caller
  const exp = ctx.now() + limits.uploadLifeMs
  const extension = query.suffix.toLowerCase().replace(/^\./, '')
  const said = [ctx.teamId, accountId, clientId, extension, exp].join('|')
  const ticket = ctx.server.masterKey.seal(purpose, ctx.zone, said)
  const uploadUrl = `${ctx.server.config.publicUrl}/${zones[ctx.zone].slug}${publishing.prefix}/v2/upload/${ticket}`
  // No chunkUploadUrl: chunks are for files beyond 4 GiB, which no package here may have.
  return { uploadUrl, authCode: ctx.server.masterKey.sign(purpose, ticket) }
}

/** The signed address of the files service, as the field writes it. */
export async function objectAddress(ask: Ask, { query }: Input<Calls['getObjectUploadUrl']>) {
  await ask(apps, 'getApp', { query: { appId: query.appId } })
  const { fileName, contentLength: size } = query
  const { urlInfo } = await ask(objectUploads, 'makeAddress', { body: { fileName, size } })
  return { urlInfo }
}

/** The file of a form, kept for a day as the file of who had asked for the address. */
export async function receive(ctx: Context, ticket: string, request: FastifyRequest) {
  const { place, extension } = whoAsked(ctx, ticket)
  const sender = new Context(ctx.server, place)
  const stored = await takeForm(sender, request, {
    extension,
    check: ({ authCode = '' }) => {
      if (!ctx.server.masterKey.verify(purpose, ticket, authCode)) refuse(publishing.errors.uploadCode)
    },
  })
  const { objectId, fileName, sizeBytes: size } = stored
  const address = downloadUrlOf(sender, objectId)
  const fileInfoList = [{ fileDestUlr: address, disposableURL: address, fileName, size }]
  return { result: { resultCode: '0', UploadFileRsp: { ifSuccess: 1, fileInfoList } } }
}

function whoAsked(ctx: Context, ticket: string) {
  const [teamId = '', accountId = '', clientId = '', extension = '', exp = '0'] = opened(ctx, ticket).split('|')
  if (Number(exp) <= ctx.now()) refuse(publishing.errors.uploadAddress)
  const caller = { ...ctx.caller, kind: 'user' as const, accountId, ...(clientId ? { clientId } : {}) }
  return { place: { ...ctx.place, caller, teamId, scope: { team: teamId } }, extension }
}

function opened(ctx: Context, ticket: string): string {
  try {
    return ctx.server.masterKey.open(purpose, ctx.zone, ticket)
  } catch {
    return refuse(publishing.errors.uploadAddress)
  }
}
