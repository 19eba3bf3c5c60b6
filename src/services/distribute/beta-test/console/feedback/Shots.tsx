import { useTranslation } from 'react-i18next'

/** The pictures a tester sent, each to be opened by itself. */
export function Shots({ addresses }: { addresses: readonly string[] }) {
  const { t } = useTranslation('distribute/beta-test')
  if (addresses.length === 0) return null
  return (
    <ul className="beta-shots">
      {addresses.map((address, at) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noreferrer noopener">
            <img src={address} alt={t('feedback.picture', { number: at + 1 })} loading="lazy" />
          </a>
        </li>
      ))}
    </ul>
  )
}
