import { CODE_PAGE } from '@fieldroom/contract/pages';
import type { ReactNode } from 'react';
import { IconDoorEnter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { OfflineBar } from '../../../light/OfflineBar.tsx';
import { FieldPicture } from '../../../ui/FieldPicture.tsx';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { usePageTitle } from '../../../ui/usePageTitle.ts';
import '../../../ui/theme/voice.css';
import { AccountHead } from './AccountHead.tsx';
import styles from './accounts.module.css';

/**
 * The frame of all account pages: the form on the left, the lit floor on the right where there is room for it. A
 * prerendered page, which does not know light from dark, has the floor in both, and the style shows one.
 */
export function AccountLayout({
  pageTitle,
  title,
  lead,
  wide = false,
  isDrawing = false,
  children,
}: {
  pageTitle: string;
  title: ReactNode;
  lead?: ReactNode;
  wide?: boolean;
  isDrawing?: boolean | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  const { scheme } = useAppearance();
  usePageTitle(pageTitle);
  return (
    <>
      <OfflineBar text={tc('offline')} />
      <div className={styles.frame}>
        <div className={styles.left}>
          <AccountHead />
          <main className={wide ? styles.wide : styles.middle}>
            <h1 className="fr-voice">{title}</h1>
            {lead ? <p className={styles.lead}>{lead}</p> : null}
            {children}
          </main>
          <footer className={styles.client}>
            <IconDoorEnter size={22} stroke={1.75} aria-hidden />
            <span>{t('clientHint')}</span>
            <a href={CODE_PAGE}>{t('clientLink')}</a>
          </footer>
        </div>
        <aside className={styles.right}>
          {isDrawing ? (
            (['light', 'dark'] as const).map((each) => (
              <div key={each} className={styles[each]}>
                <FieldPicture scheme={each} caption={t('side')} />
              </div>
            ))
          ) : (
            <FieldPicture scheme={scheme} caption={t('side')} />
          )}
        </aside>
      </div>
    </>
  );
}
