import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { draftVersion } from '../review/review.testkit.ts'
import { apps } from './contract.ts'
import { appPlaces } from './places/contract.ts'
import { type Asked, refusesOutOfReach, scopedMember } from './scope.testkit.ts'
import { appTransfer } from './transfer/contract.ts'

let stage: Stage
let leader: Person
let limited: Person
let mine: string
let other: string
let projectId: string
beforeAll(async () => {
  stage = await openStage()
  leader = await stage.person()
  mine = (await draftVersion(stage, leader, 'Reached')).appId
  other = (await draftVersion(stage, leader, 'Elsewhere')).appId
  projectId = (await leader.ok(apps, 'getApp', { query: { appId: other } })).projectId
  limited = await scopedMember(stage, leader, [mine])
})
afterAll(() => stage.close())

function calls(): Asked {
  const [query, body] = [{ appId: other }, { appId: other, revision: 1 }]
  return {
    createApp: {
      body: { projectId, name: 'New', packageType: 'ANDROID', defaultLang: 'enUS', deviceTypes: [4] },
    },
    getApp: { query },
    updateApp: { body: { ...body, encrypted: true } },
    deleteApp: { query },
    listAppsByProject: { query: { projectId } },
    getPackageName: { query },
    updatePackageName: { body: { ...body, packageName: 'com.example.other' } },
    checkPackageName: { body: { packageType: 'ANDROID', packageName: 'com.example.other', appId: other } },
    getAppLocation: { query },
    updateAppLocation: { body: { ...body, siteId: 1 } },
    checkAppMove: { body: { appIds: [mine, other], toProjectId: projectId } },
    moveToProject: { body: { appIds: [mine, other], toProjectId: projectId } },
    getMove: { query: { moveId: '1' } },
    listSeriesCandidates: { query },
    getDevelopStatus: { query },
    updateDevelopStatus: { body: { ...body, developStatus: 'TESTING' } },
  }
}

describe('who reaches one app of the team is told of another that it is not there', () => {
  const asked = () => ({ person: limited, calls: calls() })
  refusesOutOfReach(apps, asked, ['listApps', 'exportApps', 'getAppNumbers', 'checkAppId', 'listKinds'])
  refusesOutOfReach(appPlaces, asked, [])
  refusesOutOfReach(appTransfer, asked, ['listMoves', 'createMove', 'acceptMove', 'refuseMove', 'cancelMove'])

  it('lists and counts his own alone', async () => {
    expect((await limited.ok(apps, 'listApps', {})).list.map(app => app.appId)).toEqual([mine])
    expect((await limited.ok(apps, 'getAppNumbers', {})).total).toBe(1)
    const { text } = await limited.call(apps, 'exportApps', { query: { format: 'csv' } })
    expect([text.includes(mine), text.includes(other)]).toEqual([true, false])
    const isValid = async (appId: string) => (await limited.ok(apps, 'checkAppId', { body: { appId } })).isValid
    expect([await isValid(mine), await isValid(other)]).toEqual([true, false])
  })
})
