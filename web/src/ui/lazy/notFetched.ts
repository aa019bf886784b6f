/** One line that tells that what somebody pressed for could not be fetched (docs/product.md#11.36). */
import i18next from 'i18next';
import styles from './notFetched.module.css';

const SHOWN_MS = 8000;

let shown: { part: object; end(): void } | null = null;

/** Shows the line. Takes the part that did not come. */
export function tellNotFetched(part: object): void {
  shown?.end();
  const line = document.createElement('p');
  line.className = styles.line ?? '';
  line.role = 'alert';
  line.textContent = i18next.t('notFetched.text', { ns: 'common' });
  document.body.append(line);
  const end = () => {
    clearTimeout(timer);
    line.remove();
    shown = null;
  };
  const timer = setTimeout(end, SHOWN_MS);
  shown = { part, end };
}

/** Takes the line away when it tells of this part, which has come. */
export function takeBackNotFetched(part: object): void {
  if (shown?.part === part) shown.end();
}
