import TopNavigation from '@cloudscape-design/components/top-navigation'
import { useTranslation } from 'react-i18next'
import { hrefOf } from '../address.ts'
import { type Appearance, chooseAppearance, useAppearance } from '../appearance.ts'
import { leaveDemo } from '../demo.ts'
import { chooseFace, facesOf, useFace } from '../face.ts'
import { changeLanguage } from '../i18n/start.ts'
import { useUnread } from '../inbox-port.ts'
import { type Language, languageNames, languages } from '../language.ts'
import { mode } from '../mode.ts'
import type { Face } from '../page-spec.ts'
import { palette } from '../palette/open-palette.ts'
import { allRegistered } from '../registry.ts'
import { useSession } from '../session.ts'
import mark from '../theme/mark.svg'
import { signOut, switchTeam } from './session-actions.ts'

type Utility = NonNullable<Parameters<typeof TopNavigation>[0]['utilities']>[number]

/** The bar above everything: the house, the team, language, appearance, the person. */
export function TopBar() {
  const { t, i18n } = useTranslation()
  const session = useSession()
  const appearance = useAppearance()
  const face = useFace()
  const { unread, path: inboxPath } = useUnread()
  if (session.status !== 'in') return null
  const { account, teams } = session.info
  const team = teams.find(one => one.teamId === session.teamId)
  const faces = facesOf()
  const checked = (isChosen: boolean) => ({ itemType: 'checkbox' as const, checked: isChosen })

  const teamMenu: Utility = {
    type: 'menu-dropdown',
    iconName: 'group',
    text: team?.name ?? t('shell.noTeam'),
    ariaLabel: t('shell.teamNow', { team: team?.name ?? t('shell.noTeam') }),
    items: teams.map(one => ({ id: one.teamId, text: one.name, ...checked(one.teamId === session.teamId) })),
    onItemClick: ({ detail }) => void switchTeam(detail.id),
  }
  const viewMenu: Utility = {
    type: 'menu-dropdown',
    iconName: 'globe',
    text: languageNames[i18n.resolvedLanguage as Language],
    ariaLabel: t('shell.languageNow', { language: languageNames[i18n.resolvedLanguage as Language] }),
    items: [
      {
        text: t('shell.language'),
        items: languages.map(one => ({
          id: one,
          text: languageNames[one],
          lang: one,
          ...checked(one === i18n.resolvedLanguage),
        })),
      },
      {
        text: t('shell.appearance'),
        items: (['system', 'light', 'dark'] as const).map(one => ({
          id: one,
          text: t(`shell.appearances.${one}`),
          ...checked(one === appearance),
        })),
      },
    ],
    onItemClick: ({ detail }) =>
      languages.includes(detail.id as Language)
        ? void changeLanguage(detail.id as Language)
        : chooseAppearance(detail.id as Appearance),
  }
  const personMenu: Utility = {
    type: 'menu-dropdown',
    iconName: 'user-profile',
    text: account.name,
    description: account.loginName,
    items: [
      ...(faces.length > 1
        ? [
            {
              text: t('shell.face'),
              items: faces.map(one => ({ id: one, text: t(`shell.faces.${one}`), ...checked(one === face) })),
            },
          ]
        : []),
      ...allRegistered()
        .filter(page => page.isPersonal)
        .map(page => ({ id: page.path, text: page.title[i18n.resolvedLanguage as Language], href: hrefOf(page.path) })),
      { id: 'sign-out', text: t('shell.signOut') },
    ],
    onItemClick: ({ detail }) => {
      if (detail.id === 'sign-out') void signOut()
      else if (!detail.href) {
        chooseFace(detail.id as Face)
        location.hash = '#/'
      }
    },
  }

  const find: Utility = {
    type: 'button',
    iconName: 'search',
    text: t('palette.button'),
    ariaLabel: t('palette.open'),
    title: t('palette.open'),
    onClick: () => palette.set(true),
  }

  const bell: Utility = {
    type: 'button',
    iconName: 'notification',
    badge: unread > 0,
    disableUtilityCollapse: true,
    href: hrefOf(inboxPath),
    title: t('shell.bell', { count: unread }),
    ariaLabel: t('shell.bell', { count: unread }),
  }

  const demoMenu: Utility[] = [
    find,
    viewMenu,
    { type: 'button', variant: 'primary-button', text: t('demo.signIn'), onClick: leaveDemo },
  ]
  const ownMenu = [find, bell, ...(face === 'reviewer' && teams.length === 0 ? [] : [teamMenu]), viewMenu, personMenu]

  return (
    <div id="top-bar" className="lg-top-bar">
      <TopNavigation
        identity={{ href: hrefOf('/'), title: 'Loggia', logo: { src: mark, alt: '' } }}
        utilities={mode.isDemoProject() ? demoMenu : ownMenu}
      />
    </div>
  )
}
