/** A choice of one of two or three, as cards that say what each means. */
import { type ComponentType, useId } from 'react';
import styles from './ChoiceCards.module.css';

export interface ChoiceCardsProps<Value extends string> {
  /** The subject of the choice. */
  label: string;
  choices: readonly {
    value: Value;
    icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
    name: string;
    hint: string;
  }[];
  value: Value;
  onChange(value: Value): void;
}

/** A radio group: arrow keys choose. For a few answers that need a sentence each. */
export function ChoiceCards<Value extends string>({
  label,
  choices,
  value: chosen,
  onChange,
}: ChoiceCardsProps<Value>) {
  const name = useId();
  return (
    <div className={styles.cards} role="radiogroup" aria-label={label}>
      {choices.map(({ value, icon: ChoiceIcon, name: words, hint }) => (
        <label key={value} className={styles.card}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChange(value)} />
          <ChoiceIcon size={22} stroke={1.75} aria-hidden />
          <span>
            <span className={styles.name}>{words}</span>
            <span className={styles.hint}>{hint}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
