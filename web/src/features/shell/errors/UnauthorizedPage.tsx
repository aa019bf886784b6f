import { isClient } from '@fieldroom/contract/accounts';
import { CLIENT_ROOM, DASHBOARD_PAGE, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OfflineBar } from '../../../light/OfflineBar.tsx';
import { SchemeSwitch } from '../../../light/SchemeSwitch.tsx';
import { storage } from '../../../platform/storage.ts';
import { FigureIcon } from '../../../ui/figures/index.ts';
import notice from '../../../ui/states/noticePage.module.css';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { usePageTitle } from '../../../ui/usePageTitle.ts';
import { useSigningOut } from '../signOut/SigningOut.tsx';

/** Signed in, but not for that page (/auth/unauthorized, docs/product.md#11.6). */
export function UnauthorizedPage() {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  const { scheme } = useAppearance();
  const navigate = useNavigate();
  usePageTitle(t('unauthorized.title'));
  const home = isClient(storage.get('user')) ? CLIENT_ROOM : DASHBOARD_PAGE;
  const signingOut = useSigningOut(() => navigate({ to: SIGN_IN_PAGE }));
  return (
    <>
      <OfflineBar text={tc('offline')} />
      <div className={notice.page}>
        <SchemeSwitch label={tc('dark')} className={notice.scheme} />
        <main className={`${notice.notice} ${notice.full}`}>
          <FigureIcon kind="MALE_SQUARE" tone="#4C7E58" scheme={scheme} size={72} rotation={180} />
          <h1 className={notice.title}>{t('unauthorized.title')}</h1>
          <p className={notice.text}>{t('unauthorized.text')}</p>
          <div className={notice.acts}>
            <Button component={Link} to={home}>
              {t('unauthorized.back')}
            </Button>
            <Button variant="default" loading={signingOut.busy} onClick={signingOut.start}>
              {t('unauthorized.other')}
            </Button>
          </div>
          {signingOut.question}
        </main>
      </div>
    </>
  );
}
