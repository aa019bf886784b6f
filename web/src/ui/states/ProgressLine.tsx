/** The progress of something that takes long: words, the share in percent, a line, and a way to stop it. */
import { Button } from '@mantine/core';
import styles from './ProgressLine.module.css';

export interface ProgressLineProps {
  /** What is running. */
  words: string;
  /** The share that is done, 0 to 1; null if unknown. */
  part: number | null;
  /** Language of the percent's digits. */
  language: string;
  /** Stops it; omitted if it cannot be stopped safely. */
  stop?: { word: string; onStop(): void };
}

/**
 * Screen readers get the words and the share from the `progress` element; without a share it shows only that something
 * is running.
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
