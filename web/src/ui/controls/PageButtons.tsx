/** Buttons to page through a list. */
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
  /** The name of the group of buttons, for screen readers. */
  label: string;
  /** Words of the two buttons, if the list has better ones. */
  before?: string;
  after?: string;
}

/**
 * Previous page, next page, and "2 of 5". Draws nothing if there is only one page. A press leads to the top of the
 * list: the next page is read from its beginning, and on the last page the pressed button is disabled.
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
