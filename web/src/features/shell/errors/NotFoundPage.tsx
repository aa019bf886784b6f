import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { OfflineBar } from '../../../light/OfflineBar.tsx';
import { SchemeSwitch } from '../../../light/SchemeSwitch.tsx';
import { Beam, FigureShape } from '../../../ui/figures/index.ts';
import notice from '../../../ui/states/noticePage.module.css';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { usePageTitle } from '../../../ui/usePageTitle.ts';
import styles from './NotFoundPage.module.css';

/** The address of the page itself, where nobody expected to find anything. */
const OWN_PATH = '/error';

/** 404 (docs/product.md#11.6): title, code text, figure, the address, the way home; marks the body while shown. */
export function NotFoundPage() {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  const { scheme } = useAppearance();
  const { pathname } = useLocation();
  usePageTitle(t('error.title'));
  useEffect(() => {
    document.body.classList.add('background');
    return () => document.body.classList.remove('background');
  }, []);
  return (
    <>
      <OfflineBar text={tc('offline')} />
      <div className={notice.page}>
        <SchemeSwitch label={tc('dark')} className={notice.scheme} />
        <main className={`${notice.notice} ${notice.full}`}>
          <svg viewBox="-210 -70 420 140" className={styles.figure} aria-hidden focusable="false">
            <g transform="translate(-130 0) rotate(-80)">
              <Beam tone="#2B549D" scheme={scheme} />
            </g>
            <g transform="translate(130 0) rotate(80)">
              <Beam tone="#D7739C" scheme={scheme} />
            </g>
            <g transform="translate(-130 0) rotate(-80) scale(.9)">
              <FigureShape kind="MALE_FIGURE" tone="#2B549D" scheme={scheme} />
            </g>
            <g transform="translate(130 0) rotate(80) scale(.9)">
              <FigureShape kind="FEMALE_FIGURE" tone="#D7739C" scheme={scheme} />
            </g>
            <text x="0" y="20" textAnchor="middle" className={styles.code}>
              {t('error.code')}
            </text>
          </svg>
          <h1 className={notice.title}>{t('error.title')}</h1>
          <p className={styles.codeText}>{t('error.code')}</p>
          {pathname === OWN_PATH ? null : (
            <bdi className={styles.address}>
              {window.location.host}
              {pathname}
            </bdi>
          )}
          <p className={notice.text}>{t('error.text')}</p>
          <Button component={Link} to="/">
            {tc('backHome')}
          </Button>
        </main>
      </div>
    </>
  );
}
