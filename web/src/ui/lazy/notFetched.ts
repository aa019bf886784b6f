/**
 * Reports that a requested part failed to load (docs/product.md#11.36). The page shows it among its news. If there is
 * no such place, or something lies over the page, a line at the lower edge shows it.
 */
import i18next from 'i18next';
import styles from './notFetched.module.css';

const SHOWN_MS = 8000;

/** Shows a text. Returns a function that removes it. */
type Teller = (text: string) => () => void;

let pageTells: Teller | null = null;
let shown: { part: object; end(): void } | null = null;

/** Sets how the page shows it. Returns a function that ends that. */
export function tellNotFetchedAs(tell: Teller): () => void {
  pageTells = tell;
  return () => {
    if (pageTells === tell) pageTells = null;
  };
}

/** Reports a failed part. Takes the part. */
export function tellNotFetched(part: object): void {
  shown?.end();
  const covered = document.querySelector('[role="dialog"]') !== null;
  const tell = covered || pageTells === null ? showLine : pageTells;
  const takeBack = tell(i18next.t('notFetched.text', { ns: 'common' }));
  shown = {
    part,
    end() {
      takeBack();
      shown = null;
    },
  };
}

function showLine(text: string): () => void {
  const line = document.createElement('p');
  line.className = styles.line ?? '';
  line.role = 'alert';
  line.textContent = text;
  document.body.append(line);
  const timer = setTimeout(() => line.remove(), SHOWN_MS);
  return () => {
    clearTimeout(timer);
    line.remove();
  };
}

/** Removes the report if it is about this part, which has arrived. */
export function takeBackNotFetched(part: object): void {
  if (shown?.part === part) shown.end();
}
