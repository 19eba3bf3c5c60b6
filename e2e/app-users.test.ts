import { afterAll, beforeAll, expect, it } from 'vitest'
import { userImports } from '../src/services/build/app-auth/imports/contract.ts'
import { projects } from '../src/services/ground/projects/contract.ts'
import { Loggia, until, type Visitor } from './loggia.ts'

let loggia: Loggia
let developer: Visitor
beforeAll(async () => {
  loggia = await Loggia.start()
  developer = await loggia.signIn('developer')
})
afterAll(() => loggia.close())

it('an import that a kill -9 meets goes on by itself: every user is there once, every fault is told once', async () => {
  const { projectId } = await developer.ok(projects, 'createProject', { body: { name: 'Imported' } })
  const part = (from: number) =>
    Array.from({ length: 1000 }, (_none, at) => ({
      importUid: `old-${from + at}`,
      email: at % 100 === 99 ? 'no address' : `u${from + at}@example.com`,
    }))
  const body = (from: number) => ({ projectId, users: part(from), more: true })
  const first = await developer.ok(userImports, 'importUsers', { body: body(0) })
  const { importId } = first.import
  for (let from = 1000; from < 9000; from += 1000)
    await developer.ok(userImports, 'importUsers', { body: { ...body(from), importId } })
  await developer.ok(userImports, 'importUsers', { body: { ...body(9000), importId, more: false } })
  const state = async () => (await developer.ok(userImports, 'getImport', { query: { projectId, importId } })).import
  await until('the first rows', async () => (await state()).doneRows > 0)
  await loggia.end('SIGKILL')
  await loggia.up()
  await until('the end', async () => (await state()).state === 'DONE')
  expect(await state()).toMatchObject({ total: 10_000, doneRows: 10_000, made: 9900, failed: 100 })
  const [row] = await loggia.sql<{ users: number }>(
    'cn',
    'SELECT count(*)::int AS users FROM app_users WHERE project_id = $1',
    [projectId],
  )
  expect(row?.users).toBe(9900)
})
