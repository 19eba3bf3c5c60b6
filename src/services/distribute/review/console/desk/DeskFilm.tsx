import { Film } from '../../../../../console/kit/Film.tsx'
import { useDeskObject } from './use-desk-object.ts'

interface DeskFilmProps {
  taskId: string
  objectId: string
  coverId: string | null
  name: string
}

/** The film of the listing, as the team sent it. */
export function DeskFilm({ taskId, objectId, coverId, name }: DeskFilmProps) {
  const film = useDeskObject(taskId, objectId)
  const cover = useDeskObject(taskId, coverId ?? '')
  return film ? <Film src={film.url} cover={cover?.url} name={name} /> : <span className="review-blank" />
}
