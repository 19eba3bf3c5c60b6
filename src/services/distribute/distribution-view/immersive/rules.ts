import { lifeCycle } from '../../../../kernel/life-cycle.ts'

export const immersiveStates = ['DRAFT', 'AUDITING', 'APPROVED', 'REJECTED'] as const
export type ImmersiveState = (typeof immersiveStates)[number]
export const immersiveActions = ['edit', 'submit', 'approve', 'reject'] as const
export type ImmersiveAction = (typeof immersiveActions)[number]
export type ImmersiveFact = 'hasPicture' | 'isImpartial' | 'hasNote'

/** Distribution 3.24. What the store passed is shown until the next one is passed, whatever becomes of the draft. */
export const immersiveCycle = lifeCycle<ImmersiveState, ImmersiveAction, ImmersiveFact>({
  entity: 'immersivePicture',
  states: immersiveStates,
  moves: [
    {
      from: ['DRAFT', 'APPROVED', 'REJECTED'],
      action: 'edit',
      to: 'DRAFT',
      may: 'material.edit',
      event: 'immersive.updated',
    },
    {
      from: ['DRAFT'],
      action: 'submit',
      to: 'AUDITING',
      may: 'material.edit',
      needs: ['hasPicture'],
      event: 'immersive.submitted',
    },
    {
      from: ['AUDITING'],
      action: 'approve',
      to: 'APPROVED',
      may: 'review.decide',
      needs: ['isImpartial'],
      event: 'immersive.approved',
    },
    {
      from: ['AUDITING'],
      action: 'reject',
      to: 'REJECTED',
      may: 'review.decide',
      needs: ['isImpartial', 'hasNote'],
      event: 'immersive.rejected',
    },
  ],
})

/** An upright picture, wide enough for any phone. */
export const pictureLimits = {
  leastWidth: 1080,
  leastHeight: 1440,
  mostSide: 4096,
  mostBytes: 5 * 1024 * 1024,
  mimes: ['image/png', 'image/jpeg', 'image/webp'],
  noteLength: 1000,
  colours: 5,
  /** What hardly shows in the picture is no colour of it: hundredths of a percent. */
  leastShareBp: 100,
  /** Pixels each way that colours are looked for in. */
  sampleSide: 64,
  /** WCAG 2.2, 1.4.3 (AA). */
  leastContrast: 4.5,
} as const

export const colourPattern = '^#[0-9a-f]{6}$'

interface PictureFacts {
  mime: string
  sizeBytes: number
  width: number | null
  height: number | null
}

/** What is wrong with a picture, expected and actual in words; null when it fits. */
export function pictureMisfit(picture: PictureFacts): { expected: string; actual: string } | null {
  const { leastWidth, leastHeight, mostSide, mostBytes, mimes } = pictureLimits
  const { mime, sizeBytes, width, height } = picture
  if (!(mimes as readonly string[]).includes(mime)) return { expected: 'PNG, JPEG or WEBP', actual: mime }
  const isFit =
    width !== null &&
    height !== null &&
    width >= leastWidth &&
    height >= leastHeight &&
    height >= width &&
    height <= mostSide
  if (!isFit) {
    const expected = `upright, from ${leastWidth}x${leastHeight} to ${mostSide} pixels high`
    return { expected, actual: `${width ?? '?'}x${height ?? '?'}` }
  }
  return sizeBytes > mostBytes ? { expected: `at most ${mostBytes} bytes`, actual: `${sizeBytes} bytes` } : null
}
