import { useDeskObject } from './use-desk-object.ts'

interface DeskImageProps {
  taskId: string
  objectId: string
  alt: string
  className?: string
}

/** A picture of the listing, as the team sent it. */
export function DeskImage({ taskId, objectId, alt, className }: DeskImageProps) {
  const object = useDeskObject(taskId, objectId)
  if (!object) return <span className={className ?? 'review-blank'} />
  return <img className={className} src={object.url} alt={alt} />
}
