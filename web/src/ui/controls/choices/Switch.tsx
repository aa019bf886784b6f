/** A switch that takes effect at once. It is our own for pages without the UI kit, whose switch would bring all of its
 * text fields. */
import styles from './Switch.module.css';

export interface SwitchProps {
  /** The id of the words beside it. */
  labelledBy: string;
  on: boolean;
  disabled: boolean;
  onTurn(on: boolean): void;
}

/**
 * A checkbox with the role of a switch. The caller decides what `on` is, so that it may show a change before it is
 * confirmed.
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
