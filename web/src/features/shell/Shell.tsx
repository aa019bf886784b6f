/** What stands around every page of /app but the room (specification 2.3, 4.6): top bar, side menu, heading, footer. */
import { getCurrentUserData, updateLanguage } from '@fieldroom/contract/accounts';
import type { Language } from '@fieldroom/contract/text';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronRight,
  IconLogout,
  IconMaximize,
  IconMenu2,
  IconMinimize,
  IconMoon,
  IconSun,
  IconX,
} from '@tabler/icons-react';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../platform/api/index.ts';
import { currentLanguage, switchLanguage } from '../../platform/i18n/app.ts';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { storage } from '../../platform/storage.ts';
import { Logo } from '../../ui/figures/index.ts';
import { LanguageMenu } from '../../ui/LanguageMenu.tsx';
import { setAppearance, useAppearance } from '../../ui/theme/appearance.ts';
import { usePageTitle } from '../../ui/usePageTitle.ts';
import { signOut } from '../accounts/index.ts';
import { crumbsOf, menuFor } from './menu.ts';
import styles from './Shell.module.css';

/** Below this the menu is a drawer, below the second a rail (specification section 9, breakpoints). */
const HIDDEN_BELOW = 768;

function useOnline(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('online', changed);
      window.addEventListener('offline', changed);
      return () => {
        window.removeEventListener('online', changed);
        window.removeEventListener('offline', changed);
      };
    },
    () => navigator.onLine,
  );
}

function useFullScreen(): { on: boolean; toggle(): void } {
  const on = useSyncExternalStore(
    (changed) => {
      document.addEventListener('fullscreenchange', changed);
      return () => document.removeEventListener('fullscreenchange', changed);
    },
    () => document.fullscreenElement !== null,
  );
  // A browser may refuse; then everything stays as it is.
  const toggle = () =>
    void (on ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
  return { on, toggle };
}

export function Shell() {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  // The page that is shown, not the one that is still being fetched: heading and page change together.
  const pathname = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  });
  const navigate = useNavigate();
  const { scheme } = useAppearance();
  const online = useOnline();
  const full = useFullScreen();
  const [user, setUser] = useState(() => storage.get('user'));
  const [open, setOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [year] = useState(() => new Date().getFullYear());
  const side = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const authorities = user?.authorities ?? [];
  const entries = menuFor(authorities);
  const isClient = authorities[0] === 'ROLE_CLIENT';
  const crumbs = crumbsOf(pathname);
  const pageKey = crumbs.at(-1)?.key ?? 'unknown';
  const pageName = t([`menu.${pageKey}`, 'menu.unknown']);
  usePageTitle(pageName);

  // What is stored is a claim of an earlier visit: take what the server knows now; an ended sign-in is handled by the app.
  useEffect(() => {
    if (isClient) return;
    const leave = new AbortController();
    api.call(getCurrentUserData, { signal: leave.signal }).then(
      (now) => {
        storage.set('user', now);
        setUser(now);
      },
      () => {},
    );
    return () => leave.abort();
  }, [isClient]);

  // Each navigation starts at the top and puts the menu away.
  useEffect(() => {
    window.scrollTo(0, 0);
    setOpen(false);
  }, [pathname]);

  const close = useCallback(() => {
    setOpen(false);
    // After the page has become reachable again.
    requestAnimationFrame(() => menuButton.current?.focus());
  }, []);
  useEffect(() => {
    if (!open) return;
    const outside = (event: MouseEvent) => {
      const target = event.target as Node;
      if (!side.current?.contains(target) && !menuButton.current?.contains(target)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    // A drawer takes the focus in; the rail widens under the hand that opened it.
    if (window.innerWidth < HIDDEN_BELOW) side.current?.querySelector<HTMLElement>('button, a')?.focus();
    document.addEventListener('click', outside);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('click', outside);
      document.removeEventListener('keydown', escape);
    };
  }, [open, close]);

  const pickLanguage = (code: Language) => {
    void switchLanguage(code);
    if (user && !isClient) {
      // Letters follow the account's language; when the line is down this browser keeps its own and that is enough.
      api.call(updateLanguage, { body: { userId: user.id, languageCode: code } }).catch(() => {});
    }
  };

  const leave = async () => {
    setLeaving(true);
    const to = await signOut();
    if (to === '/') await navigate({ to: '/' });
    else window.location.assign(to);
  };

  return (
    <div className={styles.shell} data-menu={open ? 'open' : 'base'}>
      <a className="fr-skip" href="#page">
        {tc('skip')}
      </a>
      {isClient ? null : (
        <nav ref={side} className={styles.side} id="side-menu" aria-label={t('menu.label')}>
          <div className={styles.brandRow}>
            <Link to="/app/dashboard" className={styles.brand}>
              <Logo size={30} />
              <span className={styles.word}>{tc('product')}</span>
            </Link>
            <button type="button" className={styles.drawerClose} onClick={close} aria-label={t('menu.close')}>
              <IconX size={22} stroke={1.75} aria-hidden />
            </button>
          </div>
          <ul className={styles.entries}>
            {entries.map(({ id, icon: EntryIcon, label, target, group }, index) => (
              <li key={id} data-first={index > 0 && entries[index - 1]?.group !== group ? true : undefined}>
                <Tooltip
                  withinPortal={false}
                  label={t(`menu.${label}`)}
                  position="right"
                  disabled={open}
                  classNames={{ tooltip: styles.railTip ?? '' }}
                >
                  <Link
                    id={id}
                    to={target}
                    className={styles.entry}
                    activeProps={{ 'data-active': true }}
                    activeOptions={{ exact: false }}
                  >
                    <EntryIcon size={21} stroke={1.75} aria-hidden />
                    <span className={styles.word}>{t(`menu.${label}`)}</span>
                  </Link>
                </Tooltip>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className={styles.scrim} aria-hidden />
      <div className={styles.main} inert={open && window.innerWidth < HIDDEN_BELOW}>
        {online ? null : (
          <p className={styles.offline} role="status">
            {tc('offline')}
          </p>
        )}
        <header className={styles.top}>
          <button
            ref={menuButton}
            type="button"
            className={styles.menuButton}
            disabled={isClient}
            aria-controls="side-menu"
            aria-expanded={open}
            aria-label={open ? t('menu.close') : t('menu.open')}
            onClick={() => setOpen((now) => !now)}
          >
            <IconMenu2 size={22} stroke={1.75} aria-hidden />
          </button>
          <Link to="/app/dashboard" className={styles.topBrand} aria-label={tc('product')}>
            <Logo size={28} />
          </Link>
          <span className={styles.grow} />
          <Tooltip withinPortal={false} label={scheme === 'light' ? tc('dark') : tc('light')}>
            <ActionIcon
              size={44}
              className={styles.tool}
              variant="transparent"
              aria-label={scheme === 'light' ? tc('dark') : tc('light')}
              onClick={() => setAppearance({ scheme: scheme === 'light' ? 'dark' : 'light' })}
            >
              {scheme === 'light' ? (
                <IconMoon size={22} stroke={1.75} aria-hidden />
              ) : (
                <IconSun size={22} stroke={1.75} aria-hidden />
              )}
            </ActionIcon>
          </Tooltip>
          {document.fullscreenEnabled ? (
            <Tooltip withinPortal={false} label={full.on ? t('fullscreenLeave') : t('fullscreen')}>
              <ActionIcon
                size={44}
                className={`${styles.tool} ${styles.desk}`}
                variant="transparent"
                aria-label={full.on ? t('fullscreenLeave') : t('fullscreen')}
                onClick={full.toggle}
              >
                {full.on ? (
                  <IconMinimize size={22} stroke={1.75} aria-hidden />
                ) : (
                  <IconMaximize size={22} stroke={1.75} aria-hidden />
                )}
              </ActionIcon>
            </Tooltip>
          ) : null}
          <span className={styles.language}>
            <LanguageMenu
              label={tc('language')}
              languages={LANGUAGES}
              current={currentLanguage()}
              onPick={pickLanguage}
            />
          </span>
          <Menu position="bottom-end" width={220} withinPortal={false}>
            <Menu.Target>
              <button type="button" className={styles.user}>
                <span
                  className={styles.avatar}
                  data-initial={(user?.firstName ?? '').slice(0, 1).toUpperCase()}
                  aria-hidden
                />
                <span className="fr-hidden">{t('user.menu')}: </span>
                <span className={styles.userName}>{user?.firstName}</span>
                <IconChevronDown size={18} stroke={1.75} aria-hidden />
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconLogout size={20} stroke={1.75} aria-hidden />}
                disabled={leaving}
                closeMenuOnClick={false}
                onClick={() => void leave()}
              >
                {leaving ? t('user.leaving') : t('user.logout')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </header>
        <main id="page" className={styles.page} tabIndex={-1}>
          {pageKey === 'dashboard' ? null : (
            <div className={styles.heading}>
              <nav aria-label={t('breadcrumb')}>
                <ol className={styles.crumbs}>
                  {(isClient ? crumbs.slice(-1) : [{ key: 'dashboard', to: '/app/dashboard' }, ...crumbs.slice(1)]).map(
                    ({ key, to }, index, all) => (
                      <li key={to}>
                        {index < all.length - 1 ? (
                          <>
                            <Link to={to}>{t([`menu.${key}`, 'menu.unknown'])}</Link>
                            <IconChevronRight size={16} stroke={1.75} aria-hidden />
                          </>
                        ) : (
                          <span aria-current="page">{t([`menu.${key}`, 'menu.unknown'])}</span>
                        )}
                      </li>
                    ),
                  )}
                </ol>
              </nav>
              <h1 className={styles.title}>{pageName}</h1>
            </div>
          )}
          <Outlet />
        </main>
        <footer className={styles.footer}>
          <span>{t('footer.line', { year })}</span>
          <Link to="/app/welcome">{t('footer.help')}</Link>
          <a href="/api/docs">{t('footer.api')}</a>
        </footer>
      </div>
    </div>
  );
}
