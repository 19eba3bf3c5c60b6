import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { count, eq } from 'drizzle-orm'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import type { Context } from '../../../server/context.ts'
import { badField, isDuplicate } from '../../../server/http/problem.ts'
import { localObject, objectOf } from '../../ground/files/public.ts'
import { assertRuns, assertRuntime, digestOf, takeFiles } from './code/deploying.ts'
import type { SourceFile } from './code/packages.ts'
import { functionErrors } from './contract.ts'
import type { ImageChoice } from './engine/port.ts'
import { tellControls } from './governance/controls.ts'
import { assertKind, chosenImage, type ImageWish } from './images/choosing.ts'
import { assertFits, chosenLayers, holdLayers } from './layers/choosing.ts'
import { problemOf } from './problems/rules.ts'
import { type FunctionRow, loadFunction, openSecrets, projectHere, runnableOf } from './queries.ts'
import { envProblem, handlerProblem, latest, limits, type RuntimeId, usualRuntime } from './rules.ts'
import { type FunctionConfig, functions, type LayerChoice } from './tables.ts'

/** What people may set of a function; what is not named stays. */
export interface Wishes {
  description?: string
  handler?: string
  initHandler?: string | null
  initTimeoutMs?: number
  memoryMb?: number
  timeoutMs?: number
  instanceConcurrency?: number
  env?: Record<string, string>
  layers?: { layerId: string; number: number }[]
  secrets?: Record<string, string | null>
}

interface Code {
  files?: readonly SourceFile[]
  fileKey?: string
  /** A package in base64. */
  zip?: string
  image?: ImageWish
}

const first: FunctionConfig = {
  runtime: usualRuntime,
  handler: 'index.handler',
  functionType: 0,
  memoryMb: 256,
  timeoutMs: 5000,
  instanceConcurrency: 1,
  initHandler: null,
  initTimeoutMs: 10_000,
  env: {},
}

const greeting: Record<0 | 1, SourceFile> = {
  0: {
    path: 'index.js',
    encoding: 'utf8',
    content: `exports.handler = async (event, context) => {\n  const body = event.body ? JSON.parse(event.body) : event\n  return { hello: body.name ?? 'world' }\n}\n`,
  },
  1: {
    path: 'index.js',
    encoding: 'utf8',
    content: `exports.handler = class {\n  hello(name) {\n    return { hello: name }\n  }\n}\n`,
  },
}

function configOf(before: FunctionConfig, wishes: Wishes, layers: LayerChoice[] | undefined): FunctionConfig {
  const { handler, initHandler, initTimeoutMs, memoryMb, timeoutMs, instanceConcurrency, env } = wishes
  const given = { handler, initHandler, initTimeoutMs, memoryMb, timeoutMs, instanceConcurrency, env, layers }
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const config = { ...before, ...named }
  for (const one of config.image ? [] : [config.handler, config.initHandler]) {
    const problem = one === null ? null : handlerProblem(one)
    if (problem) refuse(functionErrors.handlerLeadsOut, { ...problem, handler: one })
  }
  // None is as if nothing had been said of them: it makes no other version.
  if (config.layers?.length === 0) delete config.layers
  const wrong = envProblem({ ...config.env })
  if (wrong) refuse(functionErrors.badEnv, wrong)
  return config
}

function secretsOf(
  before: Record<string, string>,
  wishes: Wishes,
  env: Record<string, string>,
): Record<string, string> {
  const all = Object.entries({ ...before, ...wishes.secrets }).filter(([, value]) => value !== null)
  const secrets = Object.fromEntries(all) as Record<string, string>
  const wrong = envProblem({ ...env, ...secrets })
  if (wrong) refuse(functionErrors.badEnv, wrong)
  return secrets
}

const howMany = ({ files, fileKey, zip, image }: Code) =>
  [files, fileKey, zip, image].filter(one => one !== undefined).length

interface Taken {
  codeSha256: string
  codeBytes: number
  image?: ImageChoice
}

async function codeOf(ctx: Context, { files, fileKey, zip, image }: Code): Promise<Taken> {
  // An image is what its digest says, and its bytes are kept by the container engine.
  if (image) {
    const chosen = await chosenImage(ctx, image)
    return { codeSha256: chosen.digest.slice('sha256:'.length), codeBytes: 0, image: chosen }
  }
  if (howMany({ files, fileKey, zip }) !== 1) throw badField('/files', 'oneOf', 'give one of files, fileKey and zip')
  if (files) return takeFiles(ctx, files)
  if (zip !== undefined) return takePackage(ctx, bytesOf(zip))
  const key = fileKey as string
  const object = await ctx.transact(inner => objectOf(inner, key))
  if (object.sizeBytes > limits.zipBytes)
    refuse(functionErrors.tooLarge, { bytes: object.sizeBytes, limit: limits.zipBytes })
  const local = await ctx.transact(inner => localObject(inner, key))
  try {
    return await takePackage(ctx, createReadStream(local.path))
  } finally {
    await local.release()
  }
}

/** Kept as it came; what is no package is refused where it is started. */
async function takePackage(ctx: Context, bytes: Readable) {
  const stored = await ctx.server.bytes(ctx.zone, 'functions').put(bytes, { limitBytes: limits.zipBytes })
  return { codeSha256: stored.sha256, codeBytes: stored.sizeBytes }
}

function bytesOf(base64: string): Readable {
  const isWhole = base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64)
  if (!isWhole) throw badField('/zip', 'base64', 'must be base64, without spaces and lines')
  return Readable.from([Buffer.from(base64, 'base64')])
}

const seal = (ctx: Context, functionId: string, secrets: Record<string, string>) =>
  Object.keys(secrets).length === 0
    ? null
    : ctx.server.masterKey.seal('function secrets', functionId, JSON.stringify(secrets))

/** A new function, started once before it is there. */
export async function createFunction(
  ctx: Context,
  body: { projectId: string; functionName: string; functionType?: number; runtime?: RuntimeId } & Wishes & Code,
): Promise<FunctionRow> {
  const { projectId, functionName, runtime = body.image ? 'image' : usualRuntime } = body
  assertKind(runtime, body)
  if (runtime === 'image' && !body.image)
    throw badField('/image', 'required', 'the runtime image runs one: name it as registry.example.com/team/resize:1.2')
  await ctx.transact(async inner => {
    await projectHere(inner, projectId)
    const [found] = await inner.db.select({ all: count() }).from(functions).where(eq(functions.projectId, projectId))
    if ((found?.all ?? 0) >= limits.functionsOfProject)
      refuse(functionErrors.tooMany, problemOf('manyFunctions', { limit: limits.functionsOfProject }))
  })
  await assertRuntime(ctx, runtime)
  const functionType = body.functionType === 1 ? 1 : 0
  const isBare = howMany(body) === 0
  const { image, ...code } = await codeOf(ctx, isBare ? { files: [greeting[functionType]] } : body)
  const begun = { ...first, functionType, runtime, ...(image && { image, handler: '' }) } as const
  const config = configOf(begun, body, await chosenLayers(ctx, projectId, runtime, body.layers))
  if (!image) await assertFits(ctx, code.codeSha256, config.layers)
  const secrets = secretsOf({}, body, config.env)
  const now = ctx.now()
  const functionId = ctx.newId()
  const row: FunctionRow = {
    ...{ functionId, teamId: ctx.teamId, projectId, functionName, description: body.description ?? '', config },
    ...{ sealedEnv: seal(ctx, functionId, secrets), ...code, digest: digestOf({ ...code, config, secrets }) },
    ...{ isEnabled: true, lastVersion: 0, createdAt: now, updatedAt: now, revision: 1 },
  }
  await assertRuns(ctx, runnableOf(ctx, row, latest, row))
  return ctx.transact(async inner => {
    await holdLayers(inner, config.layers)
    await inner.db
      .insert(functions)
      .values(row)
      .catch(error => {
        if (isDuplicate(error, 'fn_functions_by_name')) refuse(functionErrors.nameTaken, { name: functionName })
        throw error
      })
    inner.audit({
      action: 'function.create',
      entity: 'function',
      entityId: functionId,
      after: { projectId, functionName },
    })
    return row
  })
}

const codeBefore = ({ codeSha256, codeBytes }: FunctionRow): Taken => ({ codeSha256, codeBytes })

/** Changes `$latest`: it is started as it would be, and only then takes the place of what was. */
export async function changeFunction(
  ctx: Context,
  functionId: string,
  body: { revision: number; isEnabled?: boolean } & Wishes & Code,
): Promise<FunctionRow> {
  const before = await ctx.transact(inner => loadFunction(inner, functionId))
  if (before.revision !== body.revision) refuse(commonErrors.stale, { revision: before.revision })
  assertKind(before.config.runtime, body)
  const isCode = howMany(body) > 0
  const { image = before.config.image, ...code } = isCode ? await codeOf(ctx, body) : codeBefore(before)
  const begun = { ...before.config, ...(image && { image }) }
  const config = configOf(begun, body, await chosenLayers(ctx, before.projectId, before.config.runtime, body.layers))
  if (!image && (isCode || body.layers)) await assertFits(ctx, code.codeSha256, config.layers)
  const secrets = secretsOf(openSecrets(ctx.server, functionId, before.sealedEnv), body, config.env)
  const digest = digestOf({ ...code, config, secrets })
  const sealedEnv = seal(ctx, functionId, secrets)
  const after = { ...before, ...code, config, sealedEnv, digest }
  if (digest !== before.digest) await assertRuns(ctx, runnableOf(ctx, after, latest, after))
  return ctx.transact(async inner => {
    const current = await loadFunction(inner, functionId, true)
    await holdLayers(inner, config.layers)
    if (current.revision !== body.revision) refuse(commonErrors.stale, { revision: current.revision })
    const { description = before.description, isEnabled = before.isEnabled } = body
    const change = {
      ...code,
      config,
      sealedEnv,
      digest,
      description,
      isEnabled,
      updatedAt: ctx.now(),
      revision: current.revision + 1,
    }
    const [row] = await inner.db.update(functions).set(change).where(eq(functions.functionId, functionId)).returning()
    const told = { digest, isEnabled, secretKeys: Object.keys(secrets) }
    inner.audit({
      action: isCode ? 'function.code' : 'function.config',
      entity: 'function',
      entityId: functionId,
      after: told,
    })
    tellControls(inner, functionId)
    return row as FunctionRow
  })
}
