/** On or off, at once. Ours where a page stands before the UI kit's, which brings all of its text fields with it. */
import styles from './Switch.module.css';

export interface SwitchProps {
  /** The id of the words beside it. */
  labelledBy: string;
  on: boolean;
  disabled: boolean;
  onTurn(on: boolean): void;
}

/**
 * A checkbox with the role of a switch. The caller decides what `on` is, so it may show a wish before it is confirmed.
 */
export function Switch({ labelledBy, on, disabled, onTurn }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        // eslint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox tells its state by itself
        role="switch"
        aria-labelledby={labelledBy}
        checked={on}
        disabled={disabled}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
      <span />
    </label>
  );
}
