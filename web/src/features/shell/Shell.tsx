/** What stands around every page of /app but the room (docs/product.md#11.5): top bar, side menu, heading, footer. */
import { useClickOutside, useNetwork, useWindowEvent } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { type RefCallback, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../platform/queryClient.ts';
import { usePageTitle } from '../../ui/usePageTitle.ts';
import { useCurrentUser } from '../accounts/index.ts';
import { RunningSession } from '../usage/running/index.ts';
import { ColoursPanel, useColours } from './colours/Colours.tsx';
import { crumbsOf } from './mainMenu.ts';
import { PageHeading } from './PageHeading.tsx';
import { SideMenu } from './SideMenu.tsx';
import { useSigningOut } from './SigningOut.tsx';
import { type OpenMenu, TopBar } from './TopBar.tsx';
import styles from './Shell.module.css';

/** Below this width in px the menu is a drawer over the page (docs/product.md#11.5). */
const DRAWER_BELOW = 768;
const isDrawer = () => window.innerWidth < DRAWER_BELOW;

export function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  // The page that is shown, not the one that is still being fetched: heading and page change together.
  const pathname = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  });
  const navigate = useNavigate();
  const { user } = useCurrentUser();
  const [year] = useState(() => new Date().getFullYear());
  const menu = useSideMenu(pathname);
  const isClient = user?.authorities[0] === 'ROLE_CLIENT';
  const isTherapist = user?.authorities.includes('ROLE_THERAPIST') === true;
  const colours = useColours();
  const crumbs = crumbsOf(pathname);
  const pageKey = crumbs.at(-1)?.key ?? 'unknown';
  const pageName = t([`menu.${pageKey}`, 'menu.unknown']);
  usePageTitle(pageName);
  const signingOut = useSigningOut((to) => {
    if (to === '/') return navigate({ to: '/' });
    return window.location.assign(to);
  });

  return (
    <div className={styles.shell} data-menu={menu.open ? 'open' : 'base'}>
      <a className="fr-skip" href="#page">
        {tc('skip')}
      </a>
      {isClient ? null : (
        <SideMenu ref={menu.side} authorities={user?.authorities ?? []} open={menu.open} onClose={menu.close} />
      )}
      <div className={styles.scrim} aria-hidden />
      <div className={styles.main} inert={menu.open && isDrawer()}>
        <OfflineLine />
        <TopBar menu={menu} user={user} isClient={isClient} signingOut={signingOut} onColours={colours.open} />
        {isTherapist ? <RunningSession /> : null}
        <main id="page" className={styles.page} tabIndex={-1}>
          {pageKey === 'dashboard' ? null : <PageHeading name={pageName} crumbs={crumbs} isClient={isClient} />}
          <Outlet />
        </main>
        <footer className={styles.footer}>
          <span>{t('footer.line', { year })}</span>
          <Link to="/app/welcome">{t('footer.help')}</Link>
          <a href="/api/docs">{t('footer.api')}</a>
        </footer>
      </div>
      {signingOut.question}
      <ColoursPanel {...colours} />
    </div>
  );
}

function OfflineLine() {
  const { t: tc } = useTranslation('common');
  const { online } = useNetwork();
  if (online) return null;
  return (
    <p className={styles.offline} role="status">
      {tc('offline')}
    </p>
  );
}

/** The side menu's openness, and the elements that a press may hit without closing it. */
function useSideMenu(pathname: string): OpenMenu & { side: RefCallback<HTMLElement> } {
  const [open, setOpen] = useState(false);
  const [sideNode, setSideNode] = useState<HTMLElement | null>(null);
  const [buttonNode, setButtonNode] = useState<HTMLButtonElement | null>(null);

  // Each navigation starts at the top and puts the menu away.
  useEffect(() => {
    window.scrollTo(0, 0);
    setOpen(false);
  }, [pathname]);

  const close = useCallback(() => {
    setOpen(false);
    // Only once the page can be reached again.
    requestAnimationFrame(() => buttonNode?.focus());
  }, [buttonNode]);
  useClickOutside(
    () => setOpen(false),
    ['click'],
    [sideNode, buttonNode].filter((node) => node !== null),
    open,
  );
  useWindowEvent('keydown', (event) => {
    if (open && event.key === 'Escape') close();
  });
  // A drawer takes the focus in; the rail widens under the hand that opened it.
  useEffect(() => {
    if (open && isDrawer()) sideNode?.querySelector<HTMLElement>('button, a')?.focus();
  }, [open, sideNode]);

  return { open, side: setSideNode, button: setButtonNode, close, toggle: () => setOpen((now) => !now) };
}
