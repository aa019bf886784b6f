/** A choice of one of a few: a question with its answers below each other. */
import { type ReactNode, useId } from 'react';
import styles from './RadioList.module.css';

export interface RadioListProps<Value extends string> {
  question: string;
  answers: readonly { value: Value; words: string }[];
  value: Value;
  onChange(value: Value): void;
  disabled?: boolean;
  /** What the chosen answer means. */
  hint?: ReactNode;
}

/** A `fieldset` whose legend is the question. `hint` is shown below the answers. */
export function RadioList<Value extends string>({
  question,
  answers,
  value: chosen,
  onChange,
  disabled = false,
  hint = null,
}: RadioListProps<Value>) {
  const name = useId();
  return (
    <fieldset className={styles.list} disabled={disabled}>
      <legend>{question}</legend>
      {answers.map(({ value, words }) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => onChange(value)} />
          <span>{words}</span>
        </label>
      ))}
      {hint ? <p>{hint}</p> : null}
    </fieldset>
  );
}
