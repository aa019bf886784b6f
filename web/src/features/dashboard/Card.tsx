/** The frame of a card on the dashboard, and its states while its data is loading or has failed. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { LoadFault } from '../../ui/states/LoadFault.tsx';
import styles from './Dashboard.module.css';

export interface CardProps {
  title: string;
  /** Opposite the title: a link or a few words. */
  aside?: ReactNode;
  /** Rows reach the card's edges; the title gets a line below it. */
  rows?: boolean;
  children: ReactNode;
}

/** A section with a heading. */
export function Card({ title, aside, rows = false, children }: CardProps) {
  return (
    <section className={styles.card} data-rows={rows || undefined}>
      <div className={styles.cardHead}>
        <h2>{title}</h2>
        {aside ? <div className={styles.aside}>{aside}</div> : null}
      </div>
      {children}
    </section>
  );
}

export interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** What could not be loaded, as a sentence. */
  failed: string;
  /** Placeholders in the shape of the content. */
  bones: ReactNode;
  children: (data: T) => ReactNode;
}

/** Draws a query's data, placeholders while it loads, or the fault. After a failed refresh the previous data stays. */
export function Loaded<T>({ query, failed, bones, children }: LoadedProps<T>) {
  const { t: tc } = useTranslation('common');
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error)
    return (
      <div className={styles.fault}>
        <LoadFault
          text={`${failed} ${problemText(sayProblem, query.error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void query.refetch()}
        />
      </div>
    );
  return (
    <div role="status" aria-busy="true" aria-label={tc('loading')}>
      {bones}
    </div>
  );
}
