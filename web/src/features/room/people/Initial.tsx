/** A person without a figure's picture: the first letter of the name. */
import styles from './PeoplePanel.module.css';
export function Initial({ name }: { name: string }) {
  return (
    <span className={styles.sign} dir="auto" aria-hidden>
      {[...name][0]?.toLocaleUpperCase() ?? '?'}
    </span>
  );
}
