import type { ReactNode } from 'react';
import { IconDoorEnter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage, switchLanguage } from '../../platform/i18n/app.ts';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { FieldPicture } from '../../ui/FieldPicture.tsx';
import { Logo } from '../../ui/figures/index.ts';
import { LanguageMenu } from '../../ui/LanguageMenu.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import { usePageTitle } from '../../ui/usePageTitle.ts';
import '../../ui/theme/voice.css';
import styles from './accounts.module.css';

/** The frame of all account pages: the form on the left, the lit floor on the right where there is room for it. */
export function AccountLayout({ pageTitle, title, lead, wide = false, children }: { pageTitle: string; title: string; lead?: string; wide?: boolean; children: ReactNode }) {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  const { scheme } = useAppearance();
  usePageTitle(pageTitle);
  return (
    <div className={styles.frame}>
      <div className={styles.left}>
        <header className={styles.head}>
          <Link to="/user/login" className={styles.brand}>
            <Logo size={31} />
            <span>{tc('product')}</span>
          </Link>
          <LanguageMenu label={tc('language')} languages={LANGUAGES} current={currentLanguage()} onPick={(code) => void switchLanguage(code)} />
        </header>
        <main className={wide ? styles.wide : styles.middle}>
          <h1 className="fr-voice">{title}</h1>
          {lead ? <p className={styles.lead}>{lead}</p> : null}
          {children}
        </main>
        <footer className={styles.client}>
          <IconDoorEnter size={22} stroke={1.75} aria-hidden />
          <span>{t('clientHint')}</span>
          <a href="/user/code">{t('clientLink')}</a>
        </footer>
      </div>
      <aside className={styles.right}>
        <FieldPicture scheme={scheme} caption={t('side')} />
      </aside>
    </div>
  );
}
