import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { functionErrors } from '../contract.ts'
import { BadImage, type ImageChoice, NoEngine } from '../engine/port.ts'
import { runtimeOf } from '../pool/runtime.ts'
import { type Problem, problemOf } from '../problems/rules.ts'
import type { RuntimeId } from '../rules.ts'
import { imageProblem, readImage } from './rules.ts'

/** An image as a body names it. */
export interface ImageWish {
  reference: string
  digest?: string
}

interface OfImages {
  image?: ImageWish
  functionType?: number
}

/** What code has and an image has not. */
const ofCode = ['files', 'fileKey', 'zip', 'handler', 'initHandler', 'layers'] as const

/** Refuses a body that mixes code and images, or names an image for a runtime of code. */
export function assertKind(runtime: RuntimeId, body: OfImages & { [name in (typeof ofCode)[number]]?: unknown }): void {
  if (runtime !== 'image') {
    if (body.image) throw badField('/image', 'runtime', 'is for the runtime image only; choose it, or give code')
    return
  }
  const wrong = ofCode.find(name => body[name] !== undefined && body[name] !== null)
  if (wrong) throw badField(`/${wrong}`, 'runtime', 'is of code; a function from an image has none: leave it out')
  if (body.functionType === 1)
    throw badField('/functionType', 'runtime', 'is 0 for images: methods of objects are called in code only')
}

/** The image that is named, as it is now. Refuses what cannot be had. */
export async function chosenImage(ctx: Context, { reference, digest }: ImageWish): Promise<ImageChoice> {
  const unusable = (problem: Problem) => refuse(functionErrors.badImage, { ...problem, image: reference })
  const problem = imageProblem(reference)
  if (problem) unusable(problem)
  const found = await runtimeOf(ctx.server)
    .engines.image.resolve(readImage(reference))
    .catch((error: Error) => {
      if (error instanceof BadImage) return unusable(error.problem)
      if (error instanceof NoEngine)
        return refuse(functionErrors.runtimeNotHere, { runtime: 'image', why: error.message })
      throw error
    })
  if (digest !== undefined && digest !== found) unusable(problemOf('leadsElsewhere', { found }))
  return { reference, digest: found }
}
