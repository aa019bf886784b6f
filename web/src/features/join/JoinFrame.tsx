/** The frame of all views of the join page. */
import { type ReactNode, useEffect } from 'react';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { BrandMark, LanguageChoice, Skeleton } from '../../light/controls.tsx';
import { OfflineBar } from '../../light/OfflineBar.tsx';
import { SchemeSwitch } from '../../light/SchemeSwitch.tsx';
import { switchJoinLanguage, useJoinWords } from './useJoinWords.ts';
import styles from './JoinFrame.module.css';

/** One column with the mark and the language at the top. `lit`: on the field's colour, as in the waiting room. */
export function JoinFrame({ title, lit = false, children }: { title: string; lit?: boolean; children: ReactNode }) {
  const { t, language } = useJoinWords();
  useEffect(() => {
    document.title = `${title} · Fieldroom`;
  }, [title]);
  return (
    <>
      <OfflineBar text={t('offline')} />
      <div className={lit ? `${styles.page} ${styles.lit}` : styles.page} lang={language}>
        <header className={styles.head}>
          <BrandMark />
          <span className={styles.tools}>
            <SchemeSwitch label={t('dark')} />
            <LanguageChoice
              label={t('language')}
              languages={LANGUAGES}
              current={language}
              onChoose={switchJoinLanguage}
            />
          </span>
        </header>
        <main className={styles.main}>{children}</main>
      </div>
    </>
  );
}

/** While the page finds out who opens it. */
export function LoadingView() {
  const { t } = useJoinWords();
  return (
    <JoinFrame title="Fieldroom">
      <Skeleton label={t('loading')} className={styles.skeleton} />
    </JoinFrame>
  );
}

/** Faint rings around a centre, as on the field. Radii in px. */
export function Rings({ radii, y = '50%' }: { radii: readonly number[]; y?: string }) {
  return (
    <svg className={styles.rings} width="100%" height="100%" aria-hidden focusable="false">
      {radii.map((radius) => (
        <circle key={radius} cx="50%" cy={y} r={radius} />
      ))}
    </svg>
  );
}
