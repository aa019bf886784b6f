/** The frame of every page of /app except the room (docs/product.md#11.5): top bar, side menu, heading, footer. */
import { isClient, isTherapist } from '@fieldroom/contract/accounts';
import { DATA_AGREEMENT_PAGE, HELP_PAGE, IMPRINT_PAGE, LICENCE_PAGE } from '@fieldroom/contract/pages';
import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../platform/fetching/queryClient.ts';
import { lazyMenu } from '../../ui/lazy/LazyMenu.tsx';
import { useWarmUp } from '../../ui/lazy/lazyPart.ts';
import { usePageTitle } from '../../ui/usePageTitle.ts';
import { useCurrentUser } from '../accounts/index.ts';
import { useMenuLook } from '../design/index.ts';
import { RunningSession, useWaitingCount } from '../usage/running/index.ts';
import { TopNotices } from './notices/TopNotices.tsx';
import { InFrame } from './errors/PageFault.tsx';
import { ColoursPanel, useColours } from './colours/Colours.tsx';
import { DeletionNotice } from './notices/DeletionNotice.tsx';
import { crumbsOf, menuFootFor, menuFor } from './menu/mainMenu.ts';
import { PageHeading } from './PageHeading.tsx';
import { SideMenu } from './menu/SideMenu.tsx';
import { useSigningOut } from './signOut/SigningOut.tsx';
import { TopBar } from './TopBar.tsx';
import { useSideMenu } from './menu/useSideMenu.ts';
import styles from './Shell.module.css';

/** Fetched once the pointer moves: it is not visible before a press. */
const PRESSED = [lazyMenu];

/**
 * The router's frame around the pages; each page is drawn in its `Outlet`. Clients see the bar without menu and tools.
 * The page comes first; parts that only a press needs are drawn after it.
 */
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
  // The shown page, not the one that is still loading: heading and page change together.
  const pathname = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  });
  const navigate = useNavigate();
  const { user } = useCurrentUser();
  const authorities = user?.authorities;
  const entries = useMemo(() => menuFor(authorities ?? []), [authorities]);
  const menu = useSideMenu(entries);
  const client = isClient(user);
  const therapist = isTherapist(user);
  // The page comes first; parts that only a press needs are drawn right after it, in slices.
  const whole = useDeferredValue(true, false);
  useWarmUp(PRESSED);
  const colours = useColours();
  const look = useMenuLook();
  const crumbs = crumbsOf(pathname);
  const pageKey = crumbs.at(-1)?.key ?? 'unknown';
  const pageName = t([`menu.${pageKey}`, 'menu.unknown']);
  usePageTitle(pageName, useWaitingCount(therapist));
  // Each page starts at the top.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [pathname]);
  const signingOut = useSigningOut((to) => {
    if (to === '/') return navigate({ to: '/' });
    return window.location.assign(to);
  });

  return (
    <div className={[styles.shell, ...menu.classNames].join(' ')}>
      <a className="fr-skip" href="#page">
        {tc('skip')}
      </a>
      {client || (menu.drawer && !whole) ? null : (
        <SideMenu menu={menu} entries={entries} foot={menuFootFor(authorities ?? [])} look={look.left} />
      )}
      <div className={styles.main} data-beside-menu={!client || undefined} inert={menu.covers}>
        <TopNotices />
        <TopBar
          menu={menu}
          user={user}
          isClient={client}
          tools={whole}
          signingOut={signingOut}
          onColours={colours.open}
          look={look.top}
        />
        {client ? null : <DeletionNotice user={user} />}
        {therapist ? <RunningSession /> : null}
        <main id="page" className={styles.page} tabIndex={-1}>
          {pageKey === 'dashboard' ? null : <PageHeading name={pageName} crumbs={crumbs} isClient={client} />}
          <InFrame value>
            <Outlet />
          </InFrame>
        </main>
        <Footer />
      </div>
      {signingOut.question}
      <ColoursPanel {...colours} />
    </div>
  );
}

/** The frame renders twice for each change of page; the footer does not have to. */
const Footer = memo(function Footer() {
  const { t } = useTranslation('shell');
  const [year] = useState(() => new Date().getFullYear());
  return (
    <footer className={styles.footer}>
      <span>{t('footer.line', { year })}</span>
      <nav className={styles.footerLinks} aria-label={t('footer.label')}>
        <Link to={HELP_PAGE}>{t('footer.help')}</Link>
        <Link to={DATA_AGREEMENT_PAGE}>{t('footer.privacy')}</Link>
        <Link to={LICENCE_PAGE}>{t('footer.licence')}</Link>
        <Link to={IMPRINT_PAGE}>{t('footer.imprint')}</Link>
      </nav>
    </footer>
  );
});
