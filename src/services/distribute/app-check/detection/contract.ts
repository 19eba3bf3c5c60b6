import { service } from '../../../../kernel/contract.ts'
import {
  flag,
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { CheckSummary } from '../contract.ts'
import { checkKinds, checkLimits } from '../rules.ts'

const Words = shape({ zh: text(500), en: text(500), ru: text(500) })
const shared = { name: 'distribute/app-check', zone: 'current', errors: {} } as const

/** What checks look at, and what of it can be run here. */
export const testTasks = service({
  ...shared,
  prefix: '/tts/test-task/v1',
  permissions: ['appCheck.read'],
  calls: {
    getTestTaskConfig: {
      method: 'GET',
      path: '/test-task-config',
      who: 'cp',
      may: 'appCheck.read',
      summary: 'Kinds of checks with their rules, limits, and why a kind cannot be run here',
      answer: shape({
        deadlineMs: Type.Integer(),
        atOnce: Type.Integer(),
        running: integer(1, 1),
        kinds: list(
          shape({
            kind: oneOf(checkKinds),
            canRun: flag(),
            /** What is missing where it cannot be run. */
            needs: nullable(text(100)),
            rules: list(shape({ ruleId: text(40), title: Words, fix: Words })),
          }),
        ),
      }),
    },
  },
})

/** Several apps looked at with one call; each is a check as any other. */
export const detections = service({
  ...shared,
  prefix: '/dts/detection-service/v1',
  permissions: ['appCheck.read', 'appCheck.run'],
  calls: {
    createDetection: {
      method: 'POST',
      path: '/task',
      who: 'cp',
      may: 'appCheck.run',
      summary: 'Checks a package of each app; what is under way already is joined',
      body: shape({
        apps: Type.Array(shape({ appId: Id, pkgId: Id }), {
          minItems: 1,
          maxItems: checkLimits.detectedAtOnce,
          uniqueItems: true,
        }),
        kinds: optional(Type.Array(oneOf(checkKinds), { minItems: 1, maxItems: checkKinds.length, uniqueItems: true })),
      }),
      answer: shape({
        taskId: Id,
        list: list(shape({ appId: Id, checkId: Id, status: integer(-1, 3), isJoined: flag() })),
      }),
    },
    listAppResults: {
      method: 'POST',
      path: '/app/result',
      who: 'cp',
      may: 'appCheck.read',
      summary: 'How the apps of a detection task stand, or the newest check of each app that is named',
      body: shape({
        taskId: optional(Id),
        appIds: optional(Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true })),
      }),
      answer: shape({
        taskId: nullable(Id),
        createdAt: nullable(Instant),
        isFinished: flag(),
        list: list(CheckSummary),
      }),
    },
  },
})
