/**
 * The design (/app/template, docs/product.md#11.14): colour and picture of the field, colours of the menus, and a
 * preview before they are saved.
 */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { focusFirstFault } from '../../../ui/controls/focusFirstFault.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { designQueries } from '../designQueries.ts';
import { isThemeDesign, type OwnDesign } from '../ownDesign.ts';
import { DesignPreview } from './DesignPreview.tsx';
import { FieldCard, LeftMenuCard, TopMenuCard } from './cards/DesignCards.tsx';
import { UnsavedDesignQuestion } from './saving/UnsavedDesignQuestion.tsx';
import { ResetSection } from './saving/ResetSection.tsx';
import { SaveBar } from './saving/SaveBar.tsx';
import { useDesignForm } from './saving/useDesignForm.ts';
import styles from './DesignPage.module.css';

/** Fetches the saved design. Placeholders in the page's shape are shown until it is loaded. */
export function DesignPage() {
  const { t } = useTranslation('design');
  const { t: tc } = useTranslation('common');
  const { data, error, refetch } = useQuery(designQueries.own());
  if (data) return <Design saved={data} />;
  if (error)
    return (
      <LoadFault
        text={`${t('loadFailed')} ${problemText(sayProblem, error)}`}
        retry={tc('tryAgain')}
        onRetry={() => void refetch()}
      />
    );
  return (
    <div className={styles.page} role="status" aria-busy="true" aria-label={tc('loading')}>
      <div className={styles.seen}>
        <Skeleton height={310} radius={16} />
      </div>
      <div className={styles.column}>
        <Skeleton height={420} radius={16} />
        <Skeleton height={240} radius={16} />
        <Skeleton height={240} radius={16} />
      </div>
    </div>
  );
}

function Design({ saved }: { saved: OwnDesign }) {
  const { t } = useTranslation('design');
  const form = useDesignForm(saved);
  const { draft, dirty, progress } = form;
  const { data: stored = null } = useQuery({
    ...designQueries.picture(saved.imageId ?? ''),
    enabled: saved.imageId !== null,
  });
  const column = useRef<HTMLFormElement>(null);
  const { picture } = draft;
  const address = picture.kind === 'new' ? picture.address : picture.kind === 'stored' ? stored : null;
  const isTheme = isThemeDesign(saved);
  const busy = progress === 'saving';
  const save = async () => {
    await form.save();
    // A part that could not be saved says so at its place.
    focusFirstFault(column.current);
  };

  return (
    <div className={styles.page}>
      <section className={styles.seen} aria-label={t('preview.title')}>
        <DesignPreview draft={draft} ground={{ color: draft.color, url: address }} />
        <p className={styles.hint}>{isTheme && !dirty ? t('preview.theme') : t('preview.same')}</p>
      </section>
      <form
        ref={column}
        className={styles.column}
        noValidate
        aria-label={t('label')}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <FieldCard form={form} address={address} busy={busy} />
        <LeftMenuCard form={form} busy={busy} />
        <TopMenuCard form={form} busy={busy} />
        <SaveBar form={form} />
        <ResetSection disabled={busy || isTheme} onReset={form.reset} />
      </form>
      <UnsavedDesignQuestion dirty={dirty} />
    </div>
  );
}
