import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { toldOf } from '../../menu/public.ts'
import { staffMay } from '../../teams/public.ts'
import { invokeNamed } from '../invocation.ts'
import { developerService } from './contract.ts'

export default implement(developerService, {
  gwService: (ctx, { body }, wire) => invokeNamed(ctx, body, wire),

  previewActivity: async (ctx, { params: { activityId } }) => {
    const told = await toldOf(ctx, activityId)
    const isShown = told && (told.isPublished || staffMay(ctx, 'menu.announce'))
    if (!isShown) refuse(commonErrors.notFound, { entity: 'activity', id: activityId })
    return { activityId, ...told }
  },
})
