/** The end of an account: what is deleted, what stays, and the dialog that asks for the password. */
import { DELETION_DAYS } from '@fieldroom/contract/profile';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { dateFormat } from '../../../platform/i18n/formats.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { useCurrentUser } from '../../accounts/index.ts';
import { currentPasswordFault, PasswordField } from '../../accounts/forms/index.ts';
import { focusTitle, Problem, Section } from '../parts/Section.tsx';
import { useSectionForm, wrongPassword } from '../parts/useSectionForm.ts';
import { changeProfile, deleteAccount, keepAccount, type Profile } from '../profileQueries.ts';
import { deleteForm, type DeleteTyped, EMPTY_DELETE } from './deleteForm.ts';
import styles from '../Profile.module.css';

const ID = 'my-delete';

const dayOf = (instant: string) => dateFormat(currentLanguage(), { dateStyle: 'long' }).format(new Date(instant));

/**
 * The section "Delete account" of the profile (docs/product.md#3.27). While the account waits for its deletion, it
 * offers to keep it.
 */
export function DeleteSection({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const { t: tc } = useTranslation('common');
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const { deletesOn } = profile;
  const shown = useRef(deletesOn);
  /** It was deleted or kept here, not on another screen. */
  const acted = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  // Deleting and keeping each replace the button that led there. The dialog has to close first.
  useEffect(() => {
    if (asking || shown.current === deletesOn) return;
    shown.current = deletesOn;
    if (acted.current) focusTitle(ID, form.current);
    acted.current = false;
  }, [asking, deletesOn]);
  const onActed = () => {
    acted.current = true;
  };
  return (
    <Section id={ID} title={t('delete.title')} lead={t('delete.lead', { count: DELETION_DAYS })}>
      <div className={styles.lists}>
        <Points title={t('delete.goes')} points={t('delete.goesPoints', { returnObjects: true }) as string[]} />
        <Points title={t('delete.stays')} points={t('delete.staysPoints', { returnObjects: true }) as string[]} />
      </div>
      {deletesOn === null ? (
        <div className={styles.acts}>
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('delete.start')}
          </Button>
        </div>
      ) : (
        <Keeping day={dayOf(deletesOn)} onKept={onActed} />
      )}
      <Dialog
        opened={asking}
        onClose={() => setAsking(false)}
        size={560}
        title={t('delete.sure')}
        close={tc('close')}
        busy={busy}
      >
        <DeleteForm
          ref={form}
          email={profile.email}
          onBusy={setBusy}
          onDeleted={onActed}
          onLeave={() => setAsking(false)}
        />
      </Dialog>
    </Section>
  );
}

/** The account waits for its deletion, which can be cancelled. */
function Keeping({ day, onKept }: { day: string; onKept(): void }) {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const keeping = useMutation({
    mutationFn: keepAccount,
    onSuccess() {
      onKept();
      // The notice at the top of every page reports it too.
      return queries.invalidateQueries();
    },
  });
  return (
    <>
      <Callout>{t('delete.asked', { date: day })}</Callout>
      <Problem fault={keeping.error} />
      <div className={styles.acts}>
        <Button variant="default" loading={keeping.isPending} onClick={() => keeping.mutate()}>
          {t('delete.keep')}
        </Button>
      </div>
    </>
  );
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </div>
  );
}

interface DeleteFormProps {
  ref: RefObject<HTMLFormElement | null>;
  email: string;
  onBusy(busy: boolean): void;
  onDeleted(): void;
  onLeave(): void;
}

function DeleteForm({ ref, email, onBusy, onDeleted, onLeave }: DeleteFormProps) {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const { changed } = useCurrentUser();
  const { form, submit, problem, saving } = useSectionForm<DeleteTyped, DeleteTyped>({
    schema: deleteForm,
    stored: EMPTY_DELETE,
    fields: ['password'],
    onRefused: wrongPassword,
    async save({ password }) {
      onBusy(true);
      try {
        const { deletesOn } = await deleteAccount({ password });
        onDeleted();
        await changeProfile(queries, { deletesOn });
        changed();
        onLeave();
      } finally {
        onBusy(false);
      }
      return EMPTY_DELETE;
    },
  });
  return (
    <form ref={ref} className={dialog.body} onSubmit={submit} noValidate>
      <div className={dialog.scroll}>
        <p className={dialog.question}>{t('delete.sureText', { count: DELETION_DAYS })}</p>
        {/* Tells password managers whose password it is. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          size="sm"
          mt="lg"
          data-autofocus
          autoComplete="current-password"
          label={t('delete.password')}
          error={currentPasswordFault(form.formState.errors.password)}
          {...form.register('password')}
        />
        <Problem fault={problem} />
      </div>
      <div className={dialog.acts}>
        <Button variant="default" disabled={saving} onClick={onLeave}>
          {t('delete.keep')}
        </Button>
        <Button type="submit" color="danger" loading={saving}>
          {t('delete.confirm')}
        </Button>
      </div>
    </form>
  );
}
