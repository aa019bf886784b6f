/** Leafs through a list that comes in pages. */
import { Button } from '@mantine/core';
import styles from './PageButtons.module.css';

export interface PageButtonsProps {
  /** From 0. */
  page: number;
  pages: number;
  onPage(page: number): void;
  words: { label: string; before: string; after: string; page: string };
}

export function PageButtons({ page, pages, onPage, words }: PageButtonsProps) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pages} aria-label={words.label}>
      <Button size="sm" variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {words.before}
      </Button>
      <span>{words.page}</span>
      <Button size="sm" variant="default" disabled={page + 1 >= pages} onClick={() => onPage(page + 1)}>
        {words.after}
      </Button>
    </nav>
  );
}
