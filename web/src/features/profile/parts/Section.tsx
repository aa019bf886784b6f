/** A section of the profile: a card with its heading, and the foot of a card that is a separate form. */
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import styles from '../Profile.module.css';

export interface SectionProps {
  /** The fragment of its address. */
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** Its heading can be focused, for links to the section. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <div className={styles.sectionHead}>
        {/* Links to the section move the focus here. */}
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        {lead ? <p>{lead}</p> : null}
      </div>
      {children}
    </section>
  );
}

/**
 * Moves the focus to the title of a section after one of its acts. Takes the section's id, and the dialog of the act.
 * If the person has moved on elsewhere on the page, the focus stays there.
 */
export function focusTitle(id: string, from: Element | null = null): void {
  const active = document.activeElement;
  const isHere = [document.getElementById(id), from].some((place) => place?.contains(active));
  if (active === null || active === document.body || isHere) document.getElementById(`${id}-title`)?.focus();
}

/** Confirms quietly and once that something was done. Its space is reserved, so that nothing moves. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <p className={styles.done} role="status">
      {children ? (
        <>
          <IconCheck size={18} stroke={1.75} aria-hidden />
          <span>{children}</span>
        </>
      ) : null}
    </p>
  );
}

/** A fault in words; nothing for null. */
export function Problem({ fault }: { fault: unknown }) {
  return fault ? (
    <Callout tone="fault" role="alert">
      {problemText(sayProblem, fault)}
    </Callout>
  ) : null;
}

export interface FormFootProps {
  /** The confirmation after saving; null before. */
  done: string | null;
  /** There are unsaved changes. */
  changed: boolean;
  saving: boolean;
  /** Label of the button; "Save" by default. */
  save?: string;
}

/** The foot of a form: the result, and the button, which is highlighted once there are unsaved changes. */
export function FormFoot({ done, changed, saving, save }: FormFootProps) {
  const { t } = useTranslation('profile');
  return (
    <div className={styles.foot}>
      <Done>{changed ? null : done}</Done>
      <Button type="submit" variant={changed ? 'filled' : 'default'} loading={saving}>
        {save ?? t('save')}
      </Button>
    </div>
  );
}
