/** The bar at the top: menu, brand, search, look, full screen, language, and the user menu. */
import { isTherapist, updateLanguage } from '@fieldroom/contract/accounts';
import { CLIENT_ROOM, DASHBOARD_PAGE } from '@fieldroom/contract/pages';
import type { Language } from '@fieldroom/contract/text';
import { firstLetter } from '@fieldroom/contract/names';
import { ActionIcon } from '@mantine/core';
import { useFullscreenDocument } from '@mantine/hooks';
import {
  type Icon,
  IconChevronDown,
  IconColorSwatch,
  IconLogout,
  IconMaximize,
  IconMenu2,
  IconMinimize,
  IconMoon,
  IconSun,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../platform/api/index.ts';
import { currentLanguage, switchLanguage } from '../../platform/i18n/app.ts';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import type { StoredUser } from '../../platform/storage.ts';
import { Logo } from '../../ui/figures/index.ts';
import { LanguageMenu } from '../../ui/controls/choices/LanguageMenu.tsx';
import { Tooltip } from '../../ui/controls/Tooltip.tsx';
import { LazyMenu } from '../../ui/lazy/LazyMenu.tsx';
import { PersonPicture } from '../../ui/PersonPicture.tsx';
import { setAppearance, useAppearance } from '../../ui/theme/appearance.ts';
import { LazyBugReport } from '../bugReports/index.ts';
import { Bell } from '../notices/index.ts';
import { SearchBox } from '../search/index.ts';
import { ShellTimer, useAskForRoom } from '../usage/running/index.ts';
import { personMenuFor } from './menu/mainMenu.ts';
import type { SigningOut } from './signOut/SigningOut.tsx';
import type { SideMenuState } from './menu/useSideMenu.ts';
import { useMenuPages } from './menu/useMenuPages.ts';
import styles from './Shell.module.css';

export interface TopBarProps {
  menu: SideMenuState;
  user: StoredUser | null;
  isClient: boolean;
  /** Whether the tools between the brand and the user menu are loaded. */
  tools: boolean;
  signingOut: SigningOut;
  /** Opens the panel of colours. Takes the element that gets the focus back. */
  onColours(opener: HTMLElement | null): void;
  /** The therapist's chosen colours. */
  look: CSSProperties;
}

const NO_ROLES: readonly string[] = [];

/**
 * Depends on the person: search for accounts, timer and bell for therapists (docs/product.md#11.5). Choosing a language
 * also changes that of the account's emails.
 */
export function TopBar({ menu, user, isClient, tools, signingOut, onColours, look }: TopBarProps) {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  const pages = useMenuPages(user?.authorities ?? NO_ROLES);
  return (
    <header className={styles.top} style={look} data-own={'--menu-bg' in look || undefined}>
      <button
        ref={menu.button}
        type="button"
        className={styles.menuButton}
        disabled={isClient}
        aria-controls="side-menu"
        aria-expanded={menu.open}
        aria-label={menu.open ? t('menu.close') : t('menu.open')}
        onClick={menu.toggle}
      >
        <IconMenu2 size={22} stroke={1.75} aria-hidden />
      </button>
      <Brand name={tc('product')} home={isClient ? CLIENT_ROOM : DASHBOARD_PAGE} />
      {user === null || isClient ? null : <Search pages={pages} drawn={tools} />}
      <span className={styles.grow} />
      {tools ? <Tools user={user} isClient={isClient} /> : null}
      <PersonMenu user={user} signingOut={signingOut} onColours={onColours} />
    </header>
  );
}

// Parts that need not render with the bar, which renders twice for each change of page.
const Search = memo(SearchBox);

interface BrandProps {
  name: string;
  /** This person's start page: a client has no dashboard. */
  home: typeof CLIENT_ROOM | typeof DASHBOARD_PAGE;
}

const Brand = memo(function Brand({ name, home }: BrandProps) {
  return (
    <Link to={home} className={styles.topBrand} aria-label={name}>
      <Logo size={28} />
    </Link>
  );
});

const Tools = memo(function Tools({ user, isClient }: Pick<TopBarProps, 'user' | 'isClient'>) {
  const { t: tc } = useTranslation('common');
  const askForRoom = useAskForRoom();
  const therapist = isTherapist(user);
  const pickLanguage = (code: Language) => {
    void switchLanguage(code);
    if (user === null || isClient) return;
    // Emails follow the account's language. Without a connection only this browser changes, and that is enough.
    api.call(updateLanguage, { body: { userId: user.id, languageCode: code } }).catch(() => {});
  };
  return (
    <>
      {therapist ? <ShellTimer /> : null}
      {therapist ? <Bell className={styles.tool} onRoom={askForRoom} /> : null}
      <SchemeButton />
      <LazyBugReport className={styles.tool} />
      {document.fullscreenEnabled ? <FullScreenButton /> : null}
      <span className={styles.language}>
        <LanguageMenu label={tc('language')} languages={LANGUAGES} current={currentLanguage()} onPick={pickLanguage} />
      </span>
    </>
  );
});

interface ToolButtonProps {
  label: string;
  icon: Icon;
  className?: string | undefined;
  onClick(): void;
}

function ToolButton({ label, icon: ToolIcon, className = '', onClick }: ToolButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={44}
        className={`${styles.tool} ${className}`}
        variant="transparent"
        aria-label={label}
        onClick={onClick}
      >
        <ToolIcon size={22} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function SchemeButton() {
  const { t: tc } = useTranslation('common');
  const light = useAppearance().scheme === 'light';
  return (
    <ToolButton
      label={light ? tc('dark') : tc('light')}
      icon={light ? IconMoon : IconSun}
      className={styles.roomy}
      onClick={() => setAppearance({ scheme: light ? 'dark' : 'light' })}
    />
  );
}

function FullScreenButton() {
  const { t } = useTranslation('shell');
  const { fullscreen, toggle } = useFullscreenDocument();
  return (
    <ToolButton
      label={fullscreen ? t('fullscreenLeave') : t('fullscreen')}
      icon={fullscreen ? IconMinimize : IconMaximize}
      className={styles.desk}
      // A browser may refuse; then nothing changes.
      onClick={() => void toggle().catch(() => {})}
    />
  );
}

function PersonMenu({ user, signingOut, onColours }: Pick<TopBarProps, 'user' | 'signingOut' | 'onColours'>) {
  const { t } = useTranslation('shell');
  const button = useRef<HTMLButtonElement>(null);
  const firstName = user?.firstName ?? '';
  const target = (
    <button ref={button} type="button" className={styles.user}>
      <PersonPicture picture={user?.picture ?? null} initials={firstLetter(firstName)} size={36} />
      <span className="fr-hidden">{t('user.menu')}: </span>
      <span className={styles.userName} dir="auto">
        {firstName}
      </span>
      <IconChevronDown size={18} stroke={1.75} aria-hidden />
    </button>
  );
  return (
    <LazyMenu target={target} position="bottom-end" width={220} withinPortal={false}>
      {(Parts) => (
        <>
          {personMenuFor(user?.authorities ?? []).map(({ id, icon: EntryIcon, label, target: to }) => (
            <Parts.Item
              key={id}
              component={Link}
              to={to}
              leftSection={<EntryIcon size={20} stroke={1.75} aria-hidden />}
            >
              {t(`menu.${label}`)}
            </Parts.Item>
          ))}
          <Parts.Item
            leftSection={<IconColorSwatch size={20} stroke={1.75} aria-hidden />}
            onClick={() => onColours(button.current)}
          >
            {t('colours.title')}
          </Parts.Item>
          <Parts.Divider />
          <Parts.Item
            leftSection={<IconLogout size={20} stroke={1.75} aria-hidden />}
            disabled={signingOut.busy}
            onClick={signingOut.start}
          >
            {signingOut.busy ? t('user.leaving') : t('user.logout')}
          </Parts.Item>
        </>
      )}
    </LazyMenu>
  );
}
