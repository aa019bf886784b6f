import { Button } from '@mantine/core';
import { createContext, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faultReference } from '../../platform/faultReference.ts';
import styles from '../../ui/states/noticePage.module.css';
import { LazySchemeSwitch } from './LazySchemeSwitch.tsx';

/** How browsers say that a part of a page could not be fetched. */
const NOT_FETCHED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;

/** Whether the frame of the signed-in pages stands around, whose top bar has the switch between light and dark. */
export const InFrame = createContext(false);

const reloadPage = () => window.location.reload();

/**
 * A page whose code threw or did not come: says so, offers the one thing that helps, and names a reference by which the
 * operator finds the fault. Never shows a stack. What a lost connection stopped is tried again when it is back
 * (docs/product.md#11.36); nothing can be typed on such a page, so nothing is lost.
 */
export function Broken({ error, reload = reloadPage }: { error: unknown; reload?: () => void }) {
  const { t } = useTranslation(['common', 'problems']);
  const inFrame = useContext(InFrame);
  const [reference] = useState(() => faultReference(error));
  // A lost connection, or a newer web on the server, which no longer has the parts of this one.
  const kind = error instanceof Error && NOT_FETCHED.test(error.message) ? 'notFetched' : 'broken';
  useEffect(() => {
    if (kind !== 'notFetched') return undefined;
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [kind, reload]);
  return (
    <div className={styles.page}>
      {inFrame ? null : <LazySchemeSwitch className={styles.scheme} />}
      <main className={styles.notice}>
        <h1 className={styles.title}>{t(`${kind}.title`)}</h1>
        <p className={styles.text}>{t(`${kind}.text`)}</p>
        {kind === 'broken' ? <p className={styles.text}>{t('problems:reference', { reference })}</p> : null}
        <Button onClick={reload}>{t('tryAgain')}</Button>
      </main>
    </div>
  );
}
