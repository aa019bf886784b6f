/**
 * Tells that what somebody pressed for could not be fetched (docs/product.md#11.36). It is told where the page tells
 * its news. Where there is no such place, or something lies over the page, one line at the lower edge says it.
 */
import i18next from 'i18next';
import styles from './notFetched.module.css';

const SHOWN_MS = 8000;

/** Shows a text. Returns how to take it back. */
type Teller = (text: string) => () => void;

let pageTells: Teller | null = null;
let shown: { part: object; end(): void } | null = null;

/** Takes how the page tells its news from now on. Returns how to end that. */
export function tellNotFetchedAs(tell: Teller): () => void {
  pageTells = tell;
  return () => {
    if (pageTells === tell) pageTells = null;
  };
}

/** Tells it. Takes the part that did not come. */
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

/** Takes it back when it is about this part, which has come. */
export function takeBackNotFetched(part: object): void {
  if (shown?.part === part) shown.end();
}
