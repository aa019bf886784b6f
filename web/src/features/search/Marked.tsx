import { matchRanges, type SearchWords } from '@fieldroom/contract/search';
import { Fragment } from 'react';
import styles from './search.module.css';

/** A text with the words of the key marked (docs/product.md#11.31). */
export function Marked({ text, words }: { text: string; words: SearchWords }) {
  const ranges = matchRanges(text, words);
  return (
    <>
      {ranges.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(index === 0 ? 0 : ranges[index - 1]![1], from)}
          <mark className={styles.mark}>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </>
  );
}
