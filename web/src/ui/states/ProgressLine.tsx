/** How far something long is: words, the part in percent, a line, and a way to stop it. */
import { Button } from '@mantine/core';
import styles from './ProgressLine.module.css';

export interface ProgressLineProps {
  /** What goes on. */
  words: string;
  /** What part is done, 0 to 1; null where nobody knows. */
  part: number | null;
  /** Language of the percent's digits. */
  language: string;
  /** Stops it; left out where it cannot be stopped safely. */
  stop?: { word: string; onStop(): void };
}

/**
 * Screen readers hear the words and the part from the `progress` element; without a part it shows that something goes
 * on.
 */
export function ProgressLine({ words, part, language, stop }: ProgressLineProps) {
  return (
    <div className={styles.progress}>
      <p>
        <span>{words}</span>
        {part === null ? null : (
          <span aria-hidden>
            {new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(part)}
          </span>
        )}
      </p>
      {stop ? (
        <Button size="sm" variant="subtle" onClick={stop.onStop}>
          {stop.word}
        </Button>
      ) : null}
      <progress aria-label={words} max={1} {...(part === null ? {} : { value: part })} />
    </div>
  );
}
