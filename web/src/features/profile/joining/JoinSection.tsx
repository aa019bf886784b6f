/** How clients get in: the join link, which can be renewed, and the code of a running live session. */
import { renewCode, renewJoinLink } from '@fieldroom/contract/clients';
import { CODE_PAGE, joinPage } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { storage } from '../../../platform/storage.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { useCurrentUser } from '../../accounts/index.ts';
import { CopyField } from '../parts/CopyField.tsx';
import { Done, Problem, Section } from '../parts/Section.tsx';
import { changeProfile, profileQueries } from '../profileQueries.ts';
import styles from '../Profile.module.css';

/**
 * The section "Joining" of the profile (docs/product.md#3.22). Renewing the link asks first, because the old one stops
 * working at once. Takes the secret of the link.
 */
export function JoinSection({ joinLink }: { joinLink: string }) {
  const { t } = useTranslation('profile');
  return (
    <Section id="my-join" title={t('join.title')} lead={t('join.lead')}>
      <LinkPart joinLink={joinLink} />
      <CodePart />
    </Section>
  );
}

function LinkPart({ joinLink }: { joinLink: string }) {
  const { t } = useTranslation('profile');
  const { t: tc } = useTranslation('common');
  const queries = useQueryClient();
  const { changed } = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const renewing = useMutation({
    mutationFn: () => api.call(renewJoinLink),
    onSuccess: async (renewed) => {
      await changeProfile(queries, renewed);
      const therapist = storage.get('therapist');
      if (therapist) storage.set('therapist', { ...therapist, ...renewed });
      changed();
    },
    onSettled: () => setAsking(false),
  });
  return (
    <div className={styles.form}>
      <CopyField label={t('join.link')} address={`${window.location.origin}${joinPage(joinLink)}`} />
      <Problem fault={renewing.error} />
      <div className={styles.acts}>
        <Button variant="default" size="sm" onClick={() => setAsking(true)}>
          {t('join.renew')}
        </Button>
        <Done>{renewing.isSuccess ? t('join.renewed') : null}</Done>
      </div>
      <Dialog
        opened={asking}
        onClose={() => setAsking(false)}
        size={560}
        title={t('join.sure')}
        close={tc('close')}
        busy={renewing.isPending}
      >
        <div className={dialog.scroll}>
          <p className={dialog.question}>{t('join.sureText')}</p>
        </div>
        <div className={dialog.acts}>
          <Button variant="default" data-autofocus disabled={renewing.isPending} onClick={() => setAsking(false)}>
            {t('join.sureNo')}
          </Button>
          <Button loading={renewing.isPending} onClick={() => renewing.mutate()}>
            {t('join.renew')}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

function CodePart() {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const room = useQuery(profileQueries.room());
  const renewing = useMutation({
    mutationFn: () => api.call(renewCode),
    onSuccess: async (renewed) => {
      const { queryKey } = profileQueries.room();
      // An earlier answer has the code that is now invalid.
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (before) => before && { ...before, ...renewed });
    },
    // No live session is running: then there is no code either.
    onError: () => void room.refetch(),
  });
  const address = `${window.location.host}${CODE_PAGE}`;
  const code = room.data?.code ?? null;
  return (
    <div className={styles.form}>
      {code === null ? (
        <div>
          <p className={styles.label}>{t('join.code')}</p>
          <p className={styles.hint}>{t('join.codeNone', { address })}</p>
        </div>
      ) : (
        <>
          <CopyField label={t('join.code')} address={code} hint={t('join.codeNow', { address })} />
          <Problem fault={renewing.error} />
          <div className={styles.acts}>
            <Button variant="default" size="sm" loading={renewing.isPending} onClick={() => renewing.mutate()}>
              {t('join.codeRenew')}
            </Button>
            <Done>{renewing.isSuccess ? t('join.codeRenewed') : null}</Done>
          </div>
        </>
      )}
    </div>
  );
}
