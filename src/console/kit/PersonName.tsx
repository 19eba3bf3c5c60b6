import { ThingIcon } from './ThingIcon.tsx'

/** A person in a list: name and account name, which are data and stand as they are in every language. */
export function PersonName({ name, loginName }: { name: string; loginName: string }) {
  return (
    <span className="lg-thing-line" translate="no">
      <ThingIcon name={name} />
      <span>
        {name}
        <br />
        <span className="lg-soft">{loginName}</span>
      </span>
    </span>
  )
}
