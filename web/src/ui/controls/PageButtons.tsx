/** Leafs through a list that comes in pages. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './PageButtons.module.css';

export interface PageButtonsProps {
  /** From 0. */
  page: number;
  pages: number;
  onPage(page: number): void;
  /** The id of the list, which can take the focus. It keeps its place while other rows are fetched. */
  list: string;
  /** What the buttons are, for screen readers. */
  label: string;
  /** What leads back and on, where the list has better words for it. */
  before?: string;
  after?: string;
}

/**
 * One page back, one on, and "2 of 5". Draws nothing where there is one page. A press leads to the top of the list: the
 * next page is read from its beginning, and at the last one the button that was pressed can be pressed no more.
 */
export function PageButtons({ page, pages, onPage, list, label, before, after }: PageButtonsProps) {
  const { t } = useTranslation('common');
  if (pages <= 1) return null;
  const turn = (to: number) => {
    onPage(to);
    const top = document.getElementById(list);
    top?.focus({ preventScroll: true });
    top?.scrollIntoView({ block: 'start' });
  };
  return (
    <nav className={styles.pages} aria-label={label}>
      <Button size="sm" variant="default" disabled={page === 0} onClick={() => turn(page - 1)}>
        {before ?? t('pages.before')}
      </Button>
      <span>{t('pages.page', { page: page + 1, pages })}</span>
      <Button size="sm" variant="default" disabled={page + 1 >= pages} onClick={() => turn(page + 1)}>
        {after ?? t('pages.after')}
      </Button>
    </nav>
  );
}
