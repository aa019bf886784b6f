/**
 * Three bars that move while somebody talks. With a label they are an image to screen readers, without one they are
 * hidden.
 */
import styles from '../video.module.css';

/** On tiles and in the list of people while the person talks. */
export function TalkingBars({ label }: { label?: string }) {
  return (
    <span
      className={styles.talkingBars}
      data-talking-bars
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <i />
      <i />
      <i />
    </span>
  );
}
