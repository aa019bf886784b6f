import { SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import type { Language } from '@fieldroom/contract/text';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { switchLanguage } from '../../../platform/i18n/app.ts';
import { LANGUAGES } from '../../../platform/i18n/languages.ts';
import { SchemeSwitch } from '../../../light/SchemeSwitch.tsx';
import { Logo } from '../../../ui/figures/index.ts';
import { lazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { useWarmUp } from '../../../ui/lazy/lazyPart.ts';
import { LanguageMenu } from '../../../ui/controls/choices/LanguageMenu.tsx';
import styles from './accounts.module.css';

/** Fetched once the pointer moves: it is not visible before a press. */
const PRESSED = [lazyMenu];

/** At the top of every account page: the mark, which leads to the sign-in, and the language. */
export function AccountHead() {
  const { t, i18n } = useTranslation('common');
  useWarmUp(PRESSED);
  return (
    <header className={styles.head}>
      <Link to={SIGN_IN_PAGE} className={styles.brand}>
        <Logo size={31} />
        <span>{t('product')}</span>
      </Link>
      <span className={styles.tools}>
        <SchemeSwitch label={t('dark')} />
        <LanguageMenu
          label={t('language')}
          languages={LANGUAGES}
          current={i18n.resolvedLanguage as Language}
          onPick={(code) => void switchLanguage(code)}
        />
      </span>
    </header>
  );
}
