/** The person's own page (/app/profile): who they are, what others see of them, how they sign in, and the way out. */
import { isTherapist } from '@fieldroom/contract/accounts';
import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { forgetAskedAhead } from '../../platform/fetching/askedAhead.ts';
import { LoadFault } from '../../ui/states/LoadFault.tsx';
import { useCurrentUser } from '../accounts/index.ts';
import { DeleteSection } from './leaving/DeleteSection.tsx';
import { ExportSection } from './leaving/ExportSection.tsx';
import { JoinSection } from './joining/JoinSection.tsx';
import { MeSection } from './me/MeSection.tsx';
import { PictureSection } from './me/PictureSection.tsx';
import { Contents } from './parts/Contents.tsx';
import { UnsavedChanges } from './parts/UnsavedChanges.tsx';
import { type Profile, profileQueries } from './profileQueries.ts';
import { PublicPageSection } from './publicPage/PublicPageSection.tsx';
import { DevicesSection } from './signIn/DevicesSection.tsx';
import { EmailSection } from './signIn/EmailSection.tsx';
import { PasswordSection } from './signIn/PasswordSection.tsx';
import styles from './Profile.module.css';

export { fetchProfileAhead } from './fetchProfileAhead.ts';

/**
 * An operator without a practice sees no sections about public page and joining (docs/product.md#15.5). A fragment
 * `#my-…` in the address leads to its section.
 */
export function ProfilePage() {
  const { t } = useTranslation('profile');
  const { t: tc } = useTranslation('common');
  const profile = useQuery(profileQueries.profile());
  useLanguageOfTheTopBar();
  useEffect(() => forgetAskedAhead, []);
  if (profile.data) return <Sections profile={profile.data} />;
  if (profile.error)
    return (
      <LoadFault
        text={`${t('failed')} ${problemText(sayProblem, profile.error)}`}
        retry={tc('tryAgain')}
        onRetry={() => void profile.refetch()}
      />
    );
  return <Bones />;
}

/** A language chosen in the top bar becomes the account's: the form must not restore the previous one. */
function useLanguageOfTheTopBar() {
  const queries = useQueryClient();
  const { i18n } = useTranslation();
  useEffect(() => {
    const follow = () =>
      queries.setQueryData(
        profileQueries.profile().queryKey,
        (before) => before && { ...before, language: currentLanguage() },
      );
    i18n.on('languageChanged', follow);
    return () => i18n.off('languageChanged', follow);
  }, [queries, i18n]);
}

function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.page} role="status" aria-busy="true" aria-label={tc('loading')}>
      <div className={styles.column}>
        <Skeleton height={460} radius={16} />
        <Skeleton height={200} radius={16} />
        <Skeleton height={420} radius={16} />
      </div>
    </div>
  );
}

function Sections({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const { user } = useCurrentUser();
  // An operator without a practice has neither a public page nor a room.
  const practice = isTherapist(user) ? (['page', 'join'] as const) : [];
  const parts = (['me', 'picture', ...practice, 'email', 'password', 'devices', 'data', 'delete'] as const).map(
    (id) => ({ id: `my-${id}`, name: t(`${id}.title`) }),
  );
  useFragment();
  return (
    <UnsavedChanges>
      <div className={styles.page}>
        <Contents parts={parts} />
        <div className={styles.column}>
          <MeSection profile={profile} />
          <PictureSection profile={profile} />
          {isTherapist(user) ? (
            <>
              <PublicPageSection profile={profile} />
              <JoinSection joinLink={profile.joinLink} />
            </>
          ) : null}
          <EmailSection profile={profile} />
          <PasswordSection email={profile.email} />
          <DevicesSection />
          <ExportSection />
          <DeleteSection profile={profile} />
        </div>
      </div>
    </UnsavedChanges>
  );
}

/** Scrolls to the section that the address names, once it is drawn. */
function useFragment() {
  const done = useRef(false);
  useEffect(() => {
    if (done.current) return;
    done.current = true;
    const id = window.location.hash.slice(1);
    if (/^my-\w+$/.test(id)) document.getElementById(id)?.scrollIntoView();
  }, []);
}
