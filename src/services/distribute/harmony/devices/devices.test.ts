import { text as textOfStream } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import yazl from 'yazl'
import { headers } from '../../../../kernel/wire.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { newCert, newHarmonyApp, udidOf } from '../harmony.testkit.ts'
import { profilesContract } from '../profiles/contract.ts'
import { certTypes } from '../rules.ts'
import { type AddedDevices, devicesContract as contract } from './contract.ts'

const day = 86_400_000
let stage: Stage
let owner: Person
let viewer: Person
let operator: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  viewer = await stage.person({ team: owner.teamId, roles: ['analyst'] })
  operator = await stage.person({ staff: ['storeOperator'] })
})
afterAll(() => stage.close())

const device = (deviceName: string, word = deviceName, deviceType = 4) => ({
  deviceName,
  udid: udidOf(word),
  deviceType,
})
const add = (who: Person, deviceList: ReturnType<typeof device>[]) =>
  who.ok(contract, 'addDevices', { body: { deviceList } })
const listed = async (who: Person, query: object = {}) => (await who.ok(contract, 'listDevices', { query })).list
const idOf = async (who: Person, deviceName: string) =>
  (await listed(who)).find(one => one.deviceName === deviceName)!.id
const many = (count: number, prefix: string, deviceType = 4) =>
  Array.from({ length: count }, (_, at) => device(`${prefix} ${at}`, `${prefix} ${at}`, deviceType))

async function sendFile(who: Person, payload: Buffer | string) {
  const reply = await stage.app.inject({
    method: 'POST',
    url: `${contract.prefix}/device/import`,
    headers: {
      cookie: who.cookie,
      [headers.csrf]: who.csrfToken,
      [headers.team]: who.teamId,
      'content-type': 'application/octet-stream',
    },
    payload,
  })
  return { status: reply.statusCode, body: reply.json() as AddedDevices & { ret: { code: number; msg: string } } }
}

describe('adding', () => {
  it('tells of each device that could not be added why, and adds the others', async () => {
    const team = await stage.person()
    await add(team, [device('Desk')])
    const answer = await add(team, [
      device('Lab'),
      device('desk', 'other'),
      device('Desk again', 'Desk'),
      device('LAB', 'third'),
      device('Lab two', 'Lab'),
      { deviceName: 'Short', udid: 'ab', deviceType: 4 },
      device('Toaster', 'toaster', 99),
      device('a\u0000b', 'nul'),
      device('<b>=cmd()</b>', 'markup'),
    ])
    expect([answer.successedCount, answer.failedCount]).toEqual([2, 7])
    expect(answer.failedAddDeviceDetail.map(one => [one.deviceName, one.code])).toEqual([
      ['desk', 204144771],
      ['Desk again', 204144772],
      ['LAB', 204144771],
      ['Lab two', 204144772],
      ['Short', 204144770],
      ['Toaster', 204144770],
      ['a\u0000b', 204144770],
    ])
    expect((await listed(team)).map(one => one.deviceName)).toEqual(['<b>=cmd()</b>', 'Lab', 'Desk'])
  })

  it('takes a thousand in one call, and no more', async () => {
    const team = await stage.person()
    await operator.ok(contract, 'setDeviceLimit', { body: { teamId: team.teamId, devicesOfType: 4000 } })
    expect(await add(team, many(1000, 'Fleet'))).toMatchObject({ successedCount: 1000, failedCount: 0 })
    const reply = await team.call(contract, 'addDevices', { body: { deviceList: many(1001, 'More') } })
    expect([reply.status, reply.body.fields?.[0]?.pointer]).toEqual([400, '/deviceList'])
  })

  it('stops at the limit of a type a year, which staff can set, also when two calls come at once: 204144768', async () => {
    const team = await stage.person()
    await add(team, many(99, 'Rack'))
    const [one, other] = await Promise.all([add(team, many(2, 'Left')), add(team, many(2, 'Right'))])
    expect([one.successedCount + other.successedCount, one.failedCount + other.failedCount]).toEqual([1, 3])
    expect([...one.failedAddDeviceDetail, ...other.failedAddDeviceDetail].every(it => it.code === 204144768)).toBe(true)
    expect((await add(team, [device('Watch', 'watch', 8)])).successedCount).toBe(1)
    await operator.ok(contract, 'setDeviceLimit', { body: { teamId: team.teamId, devicesOfType: 101 } })
    expect((await add(team, [device('One more')])).successedCount).toBe(1)
    const { usage } = await team.ok(contract, 'listDevices', { query: {} })
    expect(usage.find(it => it.deviceType === 4)).toEqual({ deviceType: 4, used: 101, limit: 101 })
  })
})

describe('a deleted device', () => {
  it('keeps its place for the year, comes back into it, and takes a new one after', async () => {
    const team = await stage.person()
    await operator.ok(contract, 'setDeviceLimit', { body: { teamId: team.teamId, devicesOfType: 1 } })
    await add(team, [device('First')])
    const id = await idOf(team, 'First')
    await team.ok(contract, 'deleteDevice', { query: { id } })
    expect(await listed(team)).toEqual([])
    expect((await listed(team, { state: 'REMOVED' })).map(one => one.id)).toEqual([id])
    expect((await add(team, [device('Second')])).failedAddDeviceDetail[0]?.code).toBe(204144768)
    expect((await add(team, [device('First, again', 'First')])).successedCount).toBe(1)
    expect((await listed(team)).map(one => [one.id, one.deviceName])).toEqual([[id, 'First, again']])
  })

  it('is gone: the second time 404', async () => {
    const team = await stage.person()
    await add(team, [device('Once')])
    const id = await idOf(team, 'Once')
    await team.ok(contract, 'deleteDevice', { query: { id } })
    expect((await team.call(contract, 'deleteDevice', { query: { id } })).status).toBe(404)
  })
})

describe('a device in a profile', () => {
  it('of debugging is deleted with force only: 204144769, and the profile is invalid then, once', async () => {
    const team = await stage.person()
    await add(team, [device('Debugger'), device('Kept')])
    const [id, kept] = [await idOf(team, 'Debugger'), await idOf(team, 'Kept')]
    const { certId } = await newCert(team)
    const { appId } = await newHarmonyApp(team)
    const body = { provisionName: 'Debug', provisionType: 1, appId, certId, deviceIdList: [id, kept] }
    const profile = await team.ok(profilesContract, 'createProfile', { body })
    const plain = await team.call(contract, 'deleteDevice', { query: { id } })
    expect([plain.status, plain.body.ret.code]).toEqual([422, 204144769])
    await team.ok(contract, 'deleteDevice', { query: { id, force: true } })
    await stage.settle()
    const invalid = await team.ok(profilesContract, 'getProfile', { params: { id: profile.id } })
    expect([invalid.state, invalid.invalidReason]).toEqual(['INVALID', 'DEVICE_REMOVED'])
    const fresh = await team.ok(profilesContract, 'refreshProfile', { body: { id: profile.id } })
    expect([fresh.state, fresh.deviceIdList]).toEqual(['VALID', [kept]])
  })

  it('of a release for listed devices is not deleted at all: 204144774; a batch tells of each', async () => {
    const team = await stage.person()
    await add(team, [device('Listed'), device('Free')])
    const [id, free] = [await idOf(team, 'Listed'), await idOf(team, 'Free')]
    const { certId } = await newCert(team, certTypes.release)
    const { appId } = await newHarmonyApp(team)
    const body = { provisionName: 'Listed', provisionType: 6, appId, certId, deviceIdList: [id] }
    await team.ok(profilesContract, 'createProfile', { body })
    const answer = await team.ok(contract, 'deleteDevices', { body: { ids: [id, free, '1'], force: true } })
    expect([answer.successedCount, answer.failedDeviceDetail.map(one => [one.id, one.code])]).toEqual([
      1,
      [
        [id, 204144774],
        ['1', 204160006],
      ],
    ])
  })
})

describe('the list', () => {
  it('is filtered, searched and paged, by GET and by POST', async () => {
    const team = await stage.person()
    await add(team, [device('Alpha'), device('Beta', 'Beta', 8), device('100% sure')])
    expect((await listed(team, { deviceType: 8 })).map(one => one.deviceName)).toEqual(['Beta'])
    expect((await listed(team, { search: '0%' })).map(one => one.deviceName)).toEqual(['100% sure'])
    expect((await listed(team, { search: udidOf('Alpha').slice(0, 12).toLowerCase() })).length).toBe(1)
    const first = await team.ok(contract, 'findDevices', { body: { pageSize: 2 } })
    const second = await team.ok(contract, 'findDevices', { body: { pageSize: 2, cursor: first.nextCursor! } })
    expect([first.total, first.list.length, second.list.map(one => one.deviceName), second.nextCursor]).toEqual([
      3,
      2,
      ['Alpha'],
      null,
    ])
    const found = await team.ok(contract, 'findDevices', { body: { udids: [udidOf('Beta').toLowerCase()] } })
    expect(found.list.map(one => one.deviceName)).toEqual(['Beta'])
  })

  it('gives names anew, but not twice: 204144771', async () => {
    const team = await stage.person()
    await add(team, [device('Old'), device('Taken')])
    const id = await idOf(team, 'Old')
    expect((await team.ok(contract, 'renameDevice', { body: { id, deviceName: ' New ' } })).deviceName).toBe('New')
    const reply = await team.call(contract, 'renameDevice', { body: { id, deviceName: 'TAKEN' } })
    expect([reply.status, reply.body.ret.code]).toEqual([409, 204144771])
  })
})

describe('a file', () => {
  const line = (name: string, type: string | number = 4) => `"${name}",${udidOf(name)},${type}`

  it('of CSV is taken line by line with a report', async () => {
    const team = await stage.person()
    const csv = `\ufeffdeviceType,deviceName,udid\r\n4,Desk,${udidOf('Desk')}\r\nwatch,Wrist,${udidOf('Wrist')}\r\n\r\n4,Desk,${udidOf('x')}\r\n`
    const { status, body } = await sendFile(team, csv)
    expect([status, body.successedCount]).toEqual([200, 2])
    expect(body.failedAddDeviceDetail.map(one => [one.line, one.code])).toEqual([[5, 204144771]])
    expect((await listed(team)).map(one => [one.deviceName, one.deviceType])).toEqual([
      ['Wrist', 8],
      ['Desk', 4],
    ])
  })

  it('of XLSX is taken the same, but a formula in it is not', async () => {
    const team = await stage.person()
    const sheet = await writeXlsxFile([
      ['deviceName', 'udid', 'deviceType'],
      ['Büro & <Labor>', udidOf('a'), 4],
      [{ value: 'CONCATENATE("a","b")', type: 'Formula' }, udidOf('b'), 4],
      ['手机', udidOf('c'), 'tablet'],
    ] as never).toBuffer()
    const { status, body } = await sendFile(team, sheet)
    expect([status, body.successedCount]).toEqual([200, 2])
    expect(body.failedAddDeviceDetail.map(one => [one.line, one.code])).toEqual([[3, 204144770]])
    expect(body.failedAddDeviceDetail[0]?.message).toContain('formula')
    expect((await listed(team)).map(one => [one.deviceName, one.deviceType])).toEqual([
      ['手机', 5],
      ['Büro & <Labor>', 4],
    ])
  })

  it.each(['csv', 'xlsx'] as const)('of an export goes back in, and no cell of it is a formula: %s', async format => {
    const team = await stage.person()
    await add(team, [device('=cmd|calc', 'evil'), device('Plain')])
    const { bytes } = await team.call(contract, 'exportDevices', { query: { format, language: 'ru' } })
    if (format === 'csv') expect(bytes.toString()).toContain('"\t=cmd|calc"')
    const other = await stage.person()
    expect((await sendFile(other, bytes)).body.successedCount).toBeGreaterThan(0)
    expect((await listed(other)).map(one => one.udid)).toContain(udidOf('Plain'))
  })

  it.each([
    ['nothing in it', '', 'there is nothing in it'],
    ['the header alone', 'deviceName,udid,deviceType\n', 'no device'],
    ['half a header', 'deviceName,udid\nDesk,1\n', 'its first line names'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x41]), 'encoded data was not valid'],
    ['a quote left open', 'deviceName,udid,deviceType\n"Desk,1,4\n', 'Quote'],
    ['a zip that is none', Buffer.from('PK\u0003\u0004 no zip'), 'it is no XLSX file'],
  ])('with %s is refused with the reason', async (_, payload, reason) => {
    const { status, body } = await sendFile(owner, payload)
    expect([status, body.ret.code]).toEqual([422, 202150002])
    expect(body.ret.msg).toContain(reason)
  })

  it('of too many lines or bytes is refused', async () => {
    const rows = Array.from({ length: 1001 }, (_, at) => line(`Row ${at}`))
    expect((await sendFile(owner, rows.join('\n'))).body.ret.code).toBe(202150003)
    expect((await sendFile(owner, 'x'.repeat(2 * 1024 ** 2 + 1))).status).toBe(413)
  })

  it('that grows without end when unpacked is refused before it does', async () => {
    const { status, body } = await sendFile(owner, await workbook('<row>'.repeat(4_000_000)))
    expect([status, body.ret.code]).toEqual([422, 202150002])
    expect(body.ret.msg).toContain('when unpacked')
  })

  it('that lies about its size, defines entities, or never closes a tag does no harm', async () => {
    const liar = await workbook(`<sheetData>${' '.repeat(100_000)}</sheetData>`)
    const at = liar.indexOf(Buffer.from('PK\u0001\u0002'))
    liar.writeUInt32LE(10, at + 24)
    expect((await sendFile(owner, liar)).status).toBe(422)
    const entities = await workbook('<!DOCTYPE a [<!ENTITY b "c">]><row><c t="inlineStr"><is><t>&b;</t></is></c></row>')
    expect((await sendFile(owner, entities)).body.ret.msg).toContain('entities')
    const before = performance.now()
    expect((await sendFile(owner, await workbook('<row><c '.repeat(500_000)))).status).toBe(422)
    expect(performance.now() - before).toBeLessThan(5000)
  })

  async function workbook(sheet: string): Promise<Buffer> {
    const zip = new yazl.ZipFile()
    zip.addBuffer(Buffer.from(sheet), 'xl/worksheets/sheet1.xml')
    zip.end()
    return Buffer.from(await textOfStream(zip.outputStream.setEncoding('latin1')), 'latin1')
  }
})

describe('others', () => {
  it('who only looks may neither add, rename, delete nor import', async () => {
    await add(owner, [device('Seen')])
    const id = await idOf(owner, 'Seen')
    expect((await listed(viewer)).find(one => one.id === id)?.allowedActions).toEqual([])
    const replies = await Promise.all([
      viewer.call(contract, 'addDevices', { body: { deviceList: [device('No')] } }),
      viewer.call(contract, 'renameDevice', { body: { id, deviceName: 'No' } }),
      viewer.call(contract, 'deleteDevice', { query: { id } }),
      viewer.call(contract, 'deleteDevices', { body: { ids: [id] } }),
      sendFile(viewer, 'deviceName,udid,deviceType'),
    ])
    expect(replies.map(reply => reply.status)).toEqual([403, 403, 403, 403, 403])
  })

  it("another team's device is 404, and its UDID may be the same", async () => {
    const id = await idOf(owner, 'Seen')
    const stranger = await stage.person()
    expect((await stranger.call(contract, 'deleteDevice', { query: { id } })).status).toBe(404)
    expect((await stranger.call(contract, 'renameDevice', { body: { id, deviceName: 'x' } })).status).toBe(404)
    expect((await add(stranger, [device('Seen')])).successedCount).toBe(1)
  })

  it('a team that is not there has no limit to set', async () => {
    const reply = await operator.call(contract, 'setDeviceLimit', { body: { teamId: '1', devicesOfType: 5 } })
    expect(reply.status).toBe(404)
  })
})

describe('a year later', () => {
  it('the place of a deleted device is free', async () => {
    const team = await stage.person()
    await operator.ok(contract, 'setDeviceLimit', { body: { teamId: team.teamId, devicesOfType: 1 } })
    await add(team, [device('Gone')])
    await team.ok(contract, 'deleteDevice', { query: { id: await idOf(team, 'Gone') } })
    stage.clock.turn(366 * day)
    const later = await stage.person({ team: team.teamId, roles: ['developer'] })
    expect((await add(later, [device('New')])).successedCount).toBe(1)
    expect((await add(later, [device('Gone')])).failedAddDeviceDetail[0]?.code).toBe(204144768)
  })
})
