/** Leafs through a list that comes in pages. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './PageButtons.module.css';

export interface PageButtonsProps {
  /** From 0. */
  page: number;
  pages: number;
  onPage(page: number): void;
  /** What the buttons are, for screen readers. */
  label: string;
  /** What leads back and on, where the list has better words for it. */
  before?: string;
  after?: string;
}

/** One page back, one on, and "2 of 5". Draws nothing where there is one page. */
export function PageButtons({ page, pages, onPage, label, before, after }: PageButtonsProps) {
  const { t } = useTranslation('common');
  if (pages <= 1) return null;
  return (
    <nav className={styles.pages} aria-label={label}>
      <Button size="sm" variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {before ?? t('pages.before')}
      </Button>
      <span>{t('pages.page', { page: page + 1, pages })}</span>
      <Button size="sm" variant="default" disabled={page + 1 >= pages} onClick={() => onPage(page + 1)}>
        {after ?? t('pages.after')}
      </Button>
    </nav>
  );
}
