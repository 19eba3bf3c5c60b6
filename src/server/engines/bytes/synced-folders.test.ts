import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryDataFolder } from '../../../testkit/data-folder.ts'
import { SyncedFolders } from './synced-folders.ts'

describe('folders that many write to', () => {
  const root = temporaryDataFolder('synced')
  const folders = new SyncedFolders()
  afterAll(() => rmSync(root, { recursive: true }))

  it('whoever comes while a folder is being written is done after another writing, together with all who came then', async () => {
    const order: string[] = []
    const first = folders.sync(root).then(() => order.push('first'))
    const second = folders.sync(root)
    const third = folders.sync(root)
    expect(third).toBe(second)
    await Promise.all([second.then(() => order.push('second')), first])
    expect(order).toEqual(['first', 'second'])
    const later = folders.sync(root)
    expect(later).not.toBe(second)
    await later
  })

  it('a folder that is not there is told to everyone, and is tried anew when it is', async () => {
    const folder = path.join(root, 'later')
    const tries = await Promise.allSettled([folders.sync(folder), folders.sync(folder), folders.sync(folder)])
    expect(tries.map(one => one.status)).toEqual(['rejected', 'rejected', 'rejected'])
    mkdirSync(folder)
    await expect(folders.sync(folder)).resolves.toBeUndefined()
  })
})
