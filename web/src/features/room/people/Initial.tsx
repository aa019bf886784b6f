/** A person without a figure's picture: the first letter of the name. */
import styles from './PeoplePanel.module.css';
/**
 * Counts characters, not UTF-16 units, so an emoji stays whole; `?` for an empty name. Hidden from screen readers,
 * because the name is beside it.
 */
export function Initial({ name }: { name: string }) {
  return (
    <span className={styles.sign} dir="auto" aria-hidden>
      {[...name][0]?.toLocaleUpperCase() ?? '?'}
    </span>
  );
}
