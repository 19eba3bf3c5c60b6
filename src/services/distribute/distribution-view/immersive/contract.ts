import { service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  Revision,
  shape,
  Type,
  text,
} from '../../../../kernel/shape.ts'
import { ObjectId } from '../../versions/contract.ts'
import { face, places, view } from '../contract.ts'
import { colourPattern, immersiveActions, immersiveStates, pictureLimits } from './rules.ts'

const Colour = pattern(colourPattern, 7, '#1a237e')
const Contrast = Type.Number({ minimum: 1, maximum: 21 })
const Palette = list(
  shape({
    color: Colour,
    /** Percent of the picture. */
    share: Type.Number({ minimum: 0, maximum: 100 }),
    /** Black or white, whichever is read better on it. */
    textColor: Colour,
    contrast: Contrast,
  }),
)

export const Immersive = shape({
  appId: Id,
  state: oneOf(immersiveStates),
  objectId: nullable(ObjectId),
  pictureUrl: nullable(text(2000)),
  width: nullable(integer(1, 65_535)),
  height: nullable(integer(1, 65_535)),
  palette: Palette,
  dominantColor: nullable(Colour),
  textColor: nullable(Colour),
  contrast: nullable(Contrast),
  /** What the store shows until another one is passed. */
  passed: nullable(
    shape({ objectId: ObjectId, pictureUrl: text(2000), dominantColor: Colour, textColor: Colour, at: Instant }),
  ),
  /** Why it was refused. */
  note: nullable(text(pictureLimits.noteLength)),
  submittedAt: nullable(Instant),
  decidedAt: nullable(Instant),
  allowedActions: list(oneOf(immersiveActions)),
  revision: Revision,
})

export const errors = {
  pictureMisfit: [202140010, 422, 'The picture {fileName} is {actual}; it must be {expected}.'],
  notDecoded: [202140011, 422, 'The file {fileName} cannot be read as a picture; save it anew as PNG, JPEG or WEBP.'],
  lowContrast: [
    202140012,
    422,
    'Text in {textColor} on {dominantColor} has a contrast of {contrast}; at least {least} is needed, take {better}.',
  ],
  noPicture: [202140013, 422, 'There is no picture yet; choose one and save it, then submit.'],
} as const

const shared = {
  ...face,
  permissions: ['apps.read', 'material.edit'],
  errors,
  calls: {
    getColours: {
      ...view,
      method: 'POST',
      path: '/immersive-picture/image/color',
      may: 'material.edit',
      summary: 'The colours of a picture, the most frequent first, and the text that is read on each',
      body: shape({ objectId: ObjectId }),
      answer: shape({
        objectId: ObjectId,
        width: nullable(integer(1, 65_535)),
        height: nullable(integer(1, 65_535)),
        palette: Palette,
        dominantColor: Colour,
        textColor: Colour,
        contrast: Contrast,
      }),
    },
    getImmersive: {
      who: 'cp',
      method: 'GET',
      path: '/immersive-picture/app/immersive-info',
      may: 'apps.read',
      summary: 'The large picture of an app: the one being prepared and the one that the store shows',
      query: shape({ appId: Id }),
      answer: Immersive,
    },
    setImmersive: {
      ...view,
      method: 'PUT',
      path: '/immersive-picture/app/immersive-info',
      may: 'material.edit',
      summary: 'Chooses the picture and its colours; without a picture it is taken down at once',
      body: shape({
        appId: Id,
        objectId: nullable(ObjectId),
        /** Left out: the most frequent colour of the picture. */
        dominantColor: optional(Colour),
        /** Left out: black or white, whichever is read better. */
        textColor: optional(Colour),
        revision: optional(Revision),
      }),
      answer: Immersive,
    },
    submitImmersive: {
      who: 'cp',
      method: 'POST',
      path: '/immersive-picture/audit/submit',
      may: 'material.edit',
      summary: 'Hands the picture in for review',
      body: shape({ appId: Id, revision: optional(Revision) }),
      answer: Immersive,
    },
  },
} as const

export const immersive = service({ ...shared, prefix: places.first })
export const immersiveV2 = service({ ...shared, prefix: places.second })
