import { describe, expect, it } from 'vitest'
import {
  fieldsNotHere,
  inlineFile,
  isBase64,
  readDependency,
  readUrn,
  readUserData,
  runtimeIn,
  urnOf,
} from './rules.ts'
import { canonicalPath, canonicalQuery, readAuthorization, timeOf } from './sdk/signing-rules.ts'
import { cronOfRate, readEventData, writeEventData } from './trigger-rules.ts'

describe('a URN', () => {
  it.each([
    ['$latest', 'latest'],
    ['3', '3'],
    ['live', '!live'],
  ])('of %s ends with %s and is read again', (qualifier, end) => {
    const name = { projectId: '7', functionName: 'resize-pictures', qualifier }
    const urn = urnOf('DE', name)
    expect(urn).toBe(`urn:fss:de:7:function:default:resize-pictures:${end}`)
    expect(readUrn('DE', urn)).toEqual(name)
    expect(readUrn('CN', urn)).toBeNull()
  })

  it('without a version is the latest, and what is none is none', () => {
    expect(readUrn('CN', 'urn:fss:cn:7:function:default:resize')?.qualifier).toBe('$latest')
    expect(readUrn('CN', 'urn:fss:cn:7:function:default:resize:$latest')?.qualifier).toBe('$latest')
    for (const wrong of ['', 'urn:fss:cn:0:function:default:x1:latest', 'urn:fss:cn:7:function:other:resize:latest'])
      expect(readUrn('CN', wrong)).toBeNull()
    for (const wrong of ['../x', 'x', 'Resize', 'resize:!', 'resize:0', 'resize:latest:1'])
      expect(readUrn('CN', `urn:fss:cn:7:function:default:${wrong}`)).toBeNull()
  })
})

it.each<[string, string | null]>([
  ['Node.js16.17', 'nodejs24'],
  ['Node.js18.15', 'nodejs24'],
  ['Node.js24', 'nodejs24'],
  ['Node.js24.x', 'nodejs24'],
  ['Isolate', 'isolate'],
  ['Node.js14.18', null],
  ['Node.js26', null],
  ['Node.js', null],
  ['Python3.9', null],
  ['Custom Image', 'image'],
  ['custom container', null],
])('what is for %s runs by %s', (name, runtime) => expect(runtimeIn(name)).toBe(runtime))

it('what is not here is named, empty or not set is nothing', () => {
  expect(fieldsNotHere({ func_vpc: { vpc_id: 'x' }, gpu_memory: 16, mount_config: {}, custom_image: null })).toEqual([
    'func_vpc',
    'gpu_memory',
  ])
  const custom_image = { enabled: true, image: 'localhost/resize:1', command: '/bin/sh', args: '', uid: '0' }
  expect(fieldsNotHere({ custom_image })).toEqual(['custom_image.command', 'custom_image.uid'])
  expect(fieldsNotHere({ gpu_memory: 0, func_vpc: null, enterprise_project_id: '0', xrole: 'x' })).toEqual([])
})

it.each<[string, Record<string, string> | null]>([
  ['', {}],
  ['{"A":"b"}', { A: 'b' }],
  ['{"A":1}', null],
  ['[]', null],
  ['null', null],
  ['{', null],
])('user data %s is %j', (text, pairs) => expect(readUserData(text)).toEqual(pairs))

it('base64 is whole and nothing else, a file is the one that the handler names, a dependency is a version of a layer', () => {
  expect(['YQ==', 'YWI=', 'YWJj'].every(isBase64)).toBe(true)
  expect(['', 'YQ', 'YQ=', 'Y Q==', 'YQ==\n', '_-__', '===='].some(isBase64)).toBe(false)
  expect([inlineFile('index.handler'), inlineFile('src/main.run')]).toEqual(['index.js', 'src/main.js'])
  expect(readDependency('736:2')).toEqual({ layerId: '736', number: 2 })
  expect(readDependency('urn:loggia:layer:736:2')).toEqual({ layerId: '736', number: 2 })
  expect(readDependency('736')).toBeNull()
})

describe('a trigger of the field', () => {
  it.each([
    ['1m', '*/1 * * * *'],
    ['5m', '*/5 * * * *'],
    ['60m', '0 * * * *'],
    ['2h', '0 */2 * * *'],
    ['24h', '0 0 * * *'],
    ['1d', '0 0 * * *'],
    ['7m', null],
    ['5h', null],
    ['2d', null],
    ['0m', null],
    ['5s', null],
  ])('every %s is %s', (rate, cron) => expect(cronOfRate(rate)).toBe(cron))

  it('is read in words of ours, with its zone', () => {
    const cron = { schedule_type: 'Cron', schedule: 'CRON_TZ=Asia/Shanghai 0 15 2 ? * MON' }
    expect(readEventData('TIMER', cron)).toEqual({ config: { cron: '0 15 2 * * MON', timezone: 'Asia/Shanghai' } })
    expect(readEventData('TIMER', { schedule_type: 'Often' })).toHaveProperty('problem')
    expect(readEventData('TIMER', { schedule_type: 'Cron', schedule: '@every 3m' })).toHaveProperty('problem')
    expect(readEventData('APIG', { auth: 'IAM' })).toEqual({ config: { authType: 'cloudgw-client' } })
    expect(readEventData('APIG', { auth: 'CUSTOM' })).toHaveProperty('problem')
    expect(readEventData('SMN', { topic_urn: 'urn:smn:cn:7:paid' })).toEqual({ config: { topic: 'paid' } })
    const files = { bucket: 'b', events: ['s3:ObjectRemoved:Delete', 's3:ObjectRemoved:*'] }
    expect(readEventData('OBS', files)).toEqual({ config: { events: ['DELETE'], bucketId: 'b' } })
    expect(readEventData('AUTH', { name: 'x', events: ['SIGN_IN'] })).toEqual({ config: { events: ['SIGN_IN'] } })
  })

  it('is written as it was read', () => {
    const config = { cron: '0 0 * * *', timezone: 'Europe/Berlin', payload: 'night' }
    const data = writeEventData({ typeCode: 'CRON', name: 'n', config, url: null })
    expect(readEventData('TIMER', data)).toEqual({ config })
  })
})

describe('what is signed', () => {
  it('is the path and the query, each part encoded anew', () => {
    expect(canonicalPath('/v2/7/fgs/functions/urn:fss:cn:7:function:default:x:!live/code')).toBe(
      '/v2/7/fgs/functions/urn%3Afss%3Acn%3A7%3Afunction%3Adefault%3Ax%3A%21live/code/',
    )
    expect(canonicalPath('/a%20b/%E4%B8%AD/%zz')).toBe('/a%20b/%E4%B8%AD/%25zz/')
    expect(canonicalQuery('marker=b&limit=5&a=2&a=1&e')).toBe('a=1&a=2&e=&limit=5&marker=b')
    expect(canonicalQuery('x=a+b%2Bc')).toBe('x=a%20b%2Bc')
  })

  it.each([
    ['', null],
    ['20261122T110500Z', Date.UTC(2026, 10, 22, 11, 5)],
    ['20261322T110500Z', null],
    ['20261122T110500', null],
    ['2026-11-22T11:05:00Z', null],
  ])('at %s is %s', (at, time) => expect(timeOf(at)).toBe(time))

  it('is told in one way only', () => {
    const signature = 'a'.repeat(64)
    const right = `SDK-HMAC-SHA256 Access=AK, SignedHeaders=host;x-sdk-date, Signature=${signature}`
    expect(readAuthorization(right)).toEqual({ access: 'AK', signedHeaders: ['host', 'x-sdk-date'], signature })
    for (const wrong of [
      'Bearer x',
      right.replace('SDK-HMAC-SHA256', 'SDK-HMAC-SM3'),
      right.replace('Access=AK, ', ''),
      right.replace('host;x-sdk-date', ''),
      right.replace('host;x-sdk-date', 'x-sdk-date;host'),
      right.replace('host;x-sdk-date', 'host;host;x-sdk-date'),
      right.replace('host', 'Host'),
      right.replace(signature, signature.slice(1)),
    ])
      expect(readAuthorization(wrong)).toHaveProperty('problem')
  })
})
