import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage, switchLanguage } from '../../platform/i18n/app.ts';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { Logo } from '../../ui/figures/index.ts';
import { LanguageMenu } from '../../ui/LanguageMenu.tsx';
import { usePageTitle } from '../../ui/usePageTitle.ts';
import styles from './accounts.module.css';

function AgreementPage({ which }: { which: 'license' | 'data' }) {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  const title = t(`${which}.title`);
  usePageTitle(title);
  const parts = t(`${which}.parts`, { returnObjects: true }) as { heading: string; text: string }[];
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link to="/user/login" className={styles.brand}>
          <Logo size={31} />
          <span>{tc('product')}</span>
        </Link>
        <LanguageMenu label={tc('language')} languages={LANGUAGES} current={currentLanguage()} onPick={(code) => void switchLanguage(code)} />
      </header>
      <main>
        <h1>{title}</h1>
        <p className={styles.muted}>{t(`${which}.version`)}</p>
        {parts.map(({ heading, text }) => (
          <section key={heading}>
            <h2>{heading}</h2>
            <p>{text}</p>
          </section>
        ))}
      </main>
    </div>
  );
}

export function LicensePage() {
  return <AgreementPage which="license" />;
}
export function DataAgreementPage() {
  return <AgreementPage which="data" />;
}
