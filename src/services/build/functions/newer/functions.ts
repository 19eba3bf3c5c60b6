import { inArray } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Static } from '../../../../kernel/shape.ts'
import type { Ask } from '../../../../server/asking.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { codeIn } from '../code/downloading.ts'
import { functionsIde } from '../contract.ts'
import { aliasRow, type FunctionRow, functionNamed, projectHere, versionRow } from '../queries.ts'
import { latest, limits } from '../rules.ts'
import { functionScaling } from '../scaling/contract.ts'
import { defaultManager, scalingLimits } from '../scaling/rules.ts'
import { managerConfigs } from '../scaling/tables.ts'
import type { FunctionConfig } from '../tables.ts'
import {
  type ChangedCode,
  type ChangedConfig,
  type CodeView,
  newerErrors as errors,
  type FunctionView,
  type NewFunction,
} from './contract.ts'
import {
  type FunctionName,
  fieldRuntimes,
  fieldsNotHere,
  inlineFile,
  isBase64,
  readDependency,
  readUrn,
  readUserData,
  runtimeIn,
  urnOf,
  versionName,
} from './rules.ts'

/** Whoever asks in the field's words, by a session or by a signature: the calls he makes, and where he stands. */
export interface Asker {
  ctx: Context
  ask: Ask
}

type View = Static<typeof FunctionView>
type CodeWishes = Static<typeof ChangedCode>
type Settings = Omit<Static<typeof ChangedConfig>, 'strategy_config'>

/** The function that a URN names, and which version of it. What is of another project, team or zone is not there. */
export async function namedBy({ ctx }: Asker, urn: string): Promise<FunctionName & { row: FunctionRow }> {
  const name = readUrn(ctx.zone, urn) ?? refuse(errors.noUrn, { urn })
  const row = await ctx.transact(async inner => {
    await projectHere(inner, name.projectId)
    return functionNamed(inner, name.projectId, name.functionName)
  })
  return { ...name, row }
}

/** Settings of functions in words of ours; what is not named stays. */
function wishesOf(body: Settings & Pick<CodeWishes, 'depend_version_list'>) {
  const fields = fieldsNotHere(body)
  if (fields.length > 0) refuse(errors.notHere, { what: fields.join(', ') })
  const { timeout, handler, memory_size, description, initializer_handler, initializer_timeout } = body
  const { user_data, encrypted_user_data, depend_version_list } = body
  return {
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    memoryMb: memory_size,
    handler,
    description: description ?? undefined,
    initHandler: initializer_handler === '' ? null : initializer_handler,
    initTimeoutMs: initializer_timeout == null ? undefined : initializer_timeout * 1000,
    env: pairsOf('/user_data', user_data),
    secrets: pairsOf('/encrypted_user_data', encrypted_user_data),
    layers: depend_version_list?.map((id, at) => readDependency(id) ?? badDependency(id, at)),
  }
}

const badImage = (): never => {
  throw badField('/custom_image/image', 'required', 'names the image to run, as registry.example.com/team/resize:1.2')
}

const badDependency = (id: string, at: number): never => {
  throw badField(`/depend_version_list/${at}`, 'pattern', `${id} is no version of a layer, as 7360000000000000001:2`)
}

/** The runtime that a body names. */
function runtimeNamed({ runtime }: Settings) {
  return runtime === undefined ? undefined : (runtimeIn(runtime) ?? refuse(errors.unknownRuntime, { runtime }))
}

/** The image that a body names; undefined where it wants none. */
function imageNamed({ custom_image }: Settings) {
  if (custom_image?.enabled === false) return undefined
  return custom_image?.image ? { reference: custom_image.image } : undefined
}

/** Clients of the field name a handler for images, too, where it means nothing. */
const withoutHandler = (wishes: ReturnType<typeof wishesOf>) => ({
  ...wishes,
  handler: undefined,
  initHandler: undefined,
})

function pairsOf(pointer: string, text: string | null | undefined): Record<string, string> | undefined {
  if (text == null) return undefined
  const pairs = readUserData(text)
  if (!pairs) throw badField(pointer, 'json', 'must be a JSON object whose values are texts')
  return pairs
}

/** The code of a body in words of ours; nothing where there is none. */
function codeOf({ code_type = 'zip', code_url, func_code }: CodeWishes, handler: string) {
  const file = func_code?.file ?? undefined
  if (code_type === 'obs') {
    if (!code_url) refuse(errors.badCode, { problem: 'code_url names an uploaded object by its key' })
    return { fileKey: code_url }
  }
  if (code_type !== 'zip' && code_type !== 'inline')
    refuse(errors.badCode, { problem: `code_type is zip, inline or obs, not ${code_type}` })
  if (file === undefined || file === '') return {}
  if (!isBase64(file)) throw badField('/func_code/file', 'base64', 'must be base64, without spaces and lines')
  if (code_type === 'zip') return { zip: file }
  return { files: [{ path: inlineFile(handler), content: file, encoding: 'base64' as const }] }
}

/** A new function; without code it greets. */
export async function createFunction(at: Asker, projectId: string, body: Static<typeof NewFunction>): Promise<View> {
  await at.ctx.transact(inner => projectHere(inner, projectId))
  const image = imageNamed(body)
  const runtime = runtimeNamed(body) ?? (image && 'image')
  const isImage = runtime === 'image'
  const code = isImage ? { image: image ?? badImage() } : codeOf(body, body.handler ?? 'index.handler')
  const wishes = isImage ? withoutHandler(wishesOf(body)) : wishesOf(body)
  const whole = { projectId, functionName: body.func_name, ...wishes, runtime, ...code } as never
  const name = Object.keys(code).length > 0 ? 'createFunctionWithCode' : 'createFunction'
  const made = await at.ask(functionsIde, name, { body: whole })
  return viewOf(at, made.function)
}

/** A page of functions, the newest first. */
export async function listFunctions(
  at: Asker,
  projectId: string,
  query: { marker?: string | undefined; pageSize: number; keyword?: string | undefined },
) {
  const { marker: cursor, pageSize, keyword } = query
  const wanted = { projectId, cursor, pageSize, keyword } as never
  const page = await at.ask(functionsIde, 'listFunctions', { query: wanted })
  return { functions: await viewsOf(at, page.list), next_marker: page.nextCursor, count: page.total }
}

/** The settings of a version. */
export async function showConfig(at: Asker, urn: string): Promise<View> {
  const { row, qualifier } = await namedBy(at, urn)
  return viewOf(at, await versioned(at.ctx, row, qualifier), qualifier)
}

/** A function with what a version of it was published with; an alias leads to its version. */
async function versioned(ctx: Context, row: FunctionRow, qualifier: string): Promise<Shown> {
  if (qualifier === latest) return row
  return ctx.transact(async inner => {
    const isAlias = !/^[0-9]/.test(qualifier)
    const version = isAlias ? (await aliasRow(inner, row.functionId, qualifier)).version : qualifier
    if (version === latest) return row
    const { config, codeSha256, codeBytes, publishedAt, description } = await versionRow(inner, row.functionId, version)
    return { ...row, config, codeSha256, codeBytes, description, updatedAt: publishedAt, version }
  })
}

/** Changes settings of the latest; what is not named stays. */
export async function changeConfig(at: Asker, urn: string, body: Static<typeof ChangedConfig>): Promise<View> {
  const { row } = await changeable(at, urn)
  const { functionId, revision, config } = row
  if ((runtimeNamed(body) ?? config.runtime) !== config.runtime)
    refuse(errors.runtimeFixed, { runtime: fieldRuntimes[config.runtime] })
  const { concurrency, concurrent_num: instanceConcurrency } = body.strategy_config ?? {}
  const isEnabled = concurrency == null ? undefined : concurrency !== 0
  const said = config.image ? withoutHandler(wishesOf(body)) : wishesOf(body)
  const image = imageNamed(body)
  const params = { functionId }
  const isOther = image !== undefined && image.reference !== config.image?.reference
  const now = isOther ? await at.ask(functionsIde, 'updateCode', { params, body: { revision, image } as never }) : null
  const current = now?.function.revision ?? revision
  const wishes = { ...said, instanceConcurrency: instanceConcurrency ?? undefined, isEnabled, revision: current }
  const changed = await at.ask(functionsIde, 'updateFunction', { params, body: wishes as never })
  if (concurrency != null && concurrency !== 0) {
    const most = concurrency === -1 ? defaultManager.maxInstances : Math.min(concurrency, scalingLimits.maxInstances)
    await changeInstances(at, functionId, latest, { maxInstances: most })
  }
  return viewOf(at, changed.function)
}

/** How many copies of a qualifier there may and shall be; all else about them stays. */
export async function changeInstances(
  { ask }: Asker,
  functionId: string,
  qualifier: string,
  change: { minInstances?: number; maxInstances?: number },
) {
  const params = { functionId }
  const now = await ask(functionScaling, 'getManagerConfig', { params, query: { qualifier } })
  const { minInstances, maxInstances, idleTimeoutSec, logLevel, egress, revision } = { ...now, ...change }
  const most = Math.max(maxInstances, change.minInstances ?? 0)
  const body = { qualifier, minInstances, maxInstances: most, idleTimeoutSec, logLevel, egress, revision }
  return ask(functionScaling, 'setManagerConfig', { params, body })
}

/** Changes the code of the latest. */
export async function changeCode(at: Asker, urn: string, body: CodeWishes): Promise<Static<typeof CodeView>> {
  const { row } = await changeable(at, urn)
  const { functionId, revision, config } = row
  const params = { functionId }
  const { layers } = wishesOf({ depend_version_list: body.depend_version_list ?? undefined })
  const code = codeOf(body, config.handler)
  if (Object.keys(code).length === 0 && layers === undefined)
    refuse(errors.badCode, { problem: 'func_code.file is the code in base64' })
  let now = revision
  if (layers !== undefined) {
    const changed = await at.ask(functionsIde, 'updateFunction', { params, body: { revision, layers } as never })
    now = changed.function.revision
  }
  if (Object.keys(code).length > 0)
    await at.ask(functionsIde, 'updateCode', { params, body: { revision: now, ...code } as never })
  return showCode(at, urn)
}

async function changeable(at: Asker, urn: string) {
  const found = await namedBy(at, urn)
  return found.qualifier === latest ? found : refuse(errors.versionFixed)
}

/** The package of a version, in base64 where it is not too large for that. */
export async function showCode(at: Asker, urn: string): Promise<Static<typeof CodeView>> {
  const { row, qualifier } = await namedBy(at, urn)
  const shown = await versioned(at.ctx, row, qualifier)
  const view = await viewOf(at, shown, qualifier)
  const { func_urn, func_name, domain_id, runtime, code_type, code_filename, code_size, digest } = view
  const { last_modified, depend_version_list, strategy_config } = view
  const isSmall = shown.codeBytes <= limits.inlineBytes && !shown.config.image
  return {
    ...{ func_urn, func_name, domain_id, runtime, code_type, code_filename, code_size, digest },
    ...{ last_modified, depend_version_list, strategy_config },
    func_code: isSmall ? { file: (await bytesOf(at.ctx, shown.codeSha256)).toString('base64') } : null,
  }
}

async function bytesOf(ctx: Context, sha256: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of await ctx.server.bytes(ctx.zone, 'functions').read(sha256)) parts.push(part)
  return Buffer.concat(parts)
}

/** The package of a version, for who downloads it. */
export async function packageOf(at: Asker, urn: string) {
  const { row, qualifier } = await namedBy(at, urn)
  const { version = latest } = await versioned(at.ctx, row, qualifier)
  return codeIn(at.ctx, row.functionId, version)
}

/** Deletes a version, or the function with everything of it. */
export async function deleteFunction(at: Asker, urn: string): Promise<void> {
  const { row, qualifier } = await namedBy(at, urn)
  if (qualifier !== latest && !/^[0-9]/.test(qualifier)) refuse(errors.noUrn, { urn })
  const query = qualifier === latest ? { force: 'true' as const } : { version: qualifier }
  await at.ask(functionsIde, 'deleteFunction', { params: { functionId: row.functionId }, query })
}

/** What is shown of a function or a version of it. */
export interface Shown {
  functionId: string
  projectId: string
  functionName: string
  description: string
  config: FunctionConfig | Omit<FunctionConfig, 'layers' | 'functionType'>
  codeSha256: string
  codeBytes: number
  updatedAt: number
  /** Which version it is, where it is not the latest. */
  version?: string
  /** How it is named, where the list is not of one kind. */
  qualifier?: string
}

export async function viewOf(at: Asker, shown: object, qualifier: string = latest): Promise<View> {
  const [view] = await viewsOf(at, [shown as Shown], qualifier)
  return view as View
}

/** Functions as the field shows them; what is set of their copies is looked up for all of them at once. */
export async function viewsOf({ ctx }: Asker, list: readonly object[], qualifier: string = latest): Promise<View[]> {
  const shown = list as readonly Shown[]
  if (shown.length === 0) return []
  const ids = shown.map(one => one.functionId)
  const { functionId, minInstances, maxInstances, qualifier: of } = managerConfigs
  const sizes = await ctx.transact(inner =>
    inner.db
      .select({ functionId, minInstances, maxInstances, qualifier: of })
      .from(managerConfigs)
      .where(inArray(functionId, ids)),
  )
  return shown.map(one => {
    const own = one.qualifier ?? qualifier
    const size = sizes.find(size => size.functionId === one.functionId && size.qualifier === own)
    return toView(ctx, one, own, size)
  })
}

function toView(
  { zone, teamId }: Context,
  shown: Shown,
  qualifier: string,
  size: { minInstances: number; maxInstances: number } | undefined,
): View {
  const { functionId, projectId, functionName, description, codeSha256, codeBytes, updatedAt, version } = shown
  const config = shown.config as FunctionConfig
  const { memoryMb, handler, env, initHandler, initTimeoutMs, layers = [] } = config
  return {
    ...{ func_id: functionId, func_urn: urnOf(zone, { projectId, functionName, qualifier }), func_name: functionName },
    ...{ domain_id: teamId, namespace: projectId, project_name: projectId, package: 'default' },
    ...{ runtime: fieldRuntimes[config.runtime], timeout: Math.ceil(config.timeoutMs / 1000), handler },
    ...{ memory_size: memoryMb, cpu: Math.max(1, Math.round(memoryMb / 2)) },
    ...{
      code_type: config.image ? 'Custom-Image-Swr' : 'zip',
      code_filename: `${functionName}.zip`,
      code_size: codeBytes,
      digest: codeSha256,
    },
    ...{ user_data: JSON.stringify(env), version: versionName(version ?? qualifier), description },
    last_modified: new Date(updatedAt).toISOString(),
    initializer_handler: initHandler,
    initializer_timeout: Math.ceil(initTimeoutMs / 1000),
    depend_version_list: layers.map(one => `${one.layerId}:${one.number}`),
    strategy_config: { concurrency: size?.maxInstances ?? -1, concurrent_num: config.instanceConcurrency },
    reserved_instance_count: size?.minInstances ?? 0,
    custom_image: config.image ? { enabled: true, image: config.image.reference } : null,
    type: 'v2',
  }
}
