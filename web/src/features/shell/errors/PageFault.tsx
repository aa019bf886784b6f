import { isClient } from '@fieldroom/contract/accounts';
import { DASHBOARD_PAGE } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faultReference } from '../../../platform/log/faultReference.ts';
import { storage } from '../../../platform/storage.ts';
import { Logo } from '../../../ui/figures/Brand.tsx';
import styles from '../../../ui/states/noticePage.module.css';
import { usePageTitle } from '../../../ui/usePageTitle.ts';
import { LazySchemeSwitch } from '../LazySchemeSwitch.tsx';

/** The browsers' messages for a part of a page that could not be fetched. */
const NOT_FETCHED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** Whether the frame of the signed-in pages is mounted, whose top bar has the switch between light and dark. */
export const InFrame = createContext(false);

const reloadPage = () => window.location.reload();

interface PageFaultProps {
  error: unknown;
  reload?: () => void;
}

/**
 * A page whose code threw or failed to load: says so, offers help, and shows a reference by which the operator finds
 * the fault. Never shows a stack. A failed load is retried when a lost connection is back (docs/product.md#11.36);
 * nothing can be typed on such a page, so nothing is lost.
 */
export function PageFault({ error, reload = reloadPage }: PageFaultProps) {
  const inFrame = useContext(InFrame);
  // A lost connection, or a newer version on the server, which no longer has this version's files.
  const kind = error instanceof Error && NOT_FETCHED.test(error.message) ? 'notFetched' : 'broken';
  useEffect(() => {
    if (kind !== 'notFetched') return undefined;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [kind, reload]);
  const told = { kind, error, reload } as const;
  return inFrame ? <BrokenPart {...told} /> : <BrokenPage {...told} />;
}

interface Told {
  kind: 'broken' | 'notFetched';
  error: unknown;
  reload(): void;
}

/** In the frame, which has landmark, heading, title and the links to all other pages. */
function BrokenPart(told: Told) {
  const { t } = useTranslation('common');
  return (
    <div className={styles.notice}>
      <Words {...told} title={<h2 className={styles.title}>{t(`${told.kind}.title`)}</h2>} />
    </div>
  );
}

/** Without the frame, with the mark and a link to the start. */
function BrokenPage(told: Told) {
  const { t } = useTranslation('common');
  const title = t(`${told.kind}.title`);
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <LazySchemeSwitch className={styles.scheme} />
      <main className={`${styles.notice} ${styles.full}`}>
        <Logo size={48} />
        <Words {...told} title={<h1 className={styles.title}>{title}</h1>}>
          {/* A client can only go back into the room. It works even if the router itself is broken. */}
          {isClient(storage.get('user')) ? null : (
            <Button component="a" variant="default" href={DASHBOARD_PAGE}>
              {t('backHome')}
            </Button>
          )}
        </Words>
      </main>
    </div>
  );
}

function Words({ kind, error, reload, title, children }: Told & { title: ReactNode; children?: ReactNode }) {
  const { t } = useTranslation('common');
  const [reference] = useState(() => faultReference(error));
  return (
    <>
      <div role="alert" className={styles.words}>
        {title}
        <p className={styles.text}>{t(`${kind}.text`)}</p>
        {kind === 'broken' ? (
          <p className={styles.text}>
            {t('broken.reference')} <strong className={styles.reference}>{reference}</strong>
          </p>
        ) : null}
      </div>
      <div className={styles.acts}>
        {children}
        <Button onClick={reload}>{t('tryAgain')}</Button>
      </div>
    </>
  );
}
