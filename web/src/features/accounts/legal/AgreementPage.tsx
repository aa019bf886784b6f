/** The licence and the data protection agreement, to read before agreeing and at any time after. */
import { useTranslation } from 'react-i18next';
import { OfflineBar } from '../../../light/OfflineBar.tsx';
import { usePageTitle } from '../../../ui/usePageTitle.ts';
import { AccountHead } from '../frame/AccountHead.tsx';
import styles from '../frame/accounts.module.css';

function AgreementPage({ which }: { which: 'license' | 'data' }) {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  const title = t(`${which}.title`);
  usePageTitle(title);
  const parts = t(`${which}.parts`, { returnObjects: true }) as { heading: string; text: string }[];
  return (
    <>
      <OfflineBar text={tc('offline')} />
      <div className={styles.page}>
        <AccountHead />
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
    </>
  );
}

/** The licence (`/user/license`). */
export function LicensePage() {
  return <AgreementPage which="license" />;
}
/** The data protection agreement (`/user/data-agreement`). */
export function DataAgreementPage() {
  return <AgreementPage which="data" />;
}
