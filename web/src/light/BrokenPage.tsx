/**
 * What stands in the place of a light page whose code threw. It uses nothing that may have thrown
 * (docs/product.md#12.13).
 */
import type { ReactNode } from 'react';
import { Logo } from '../ui/figures/Brand.tsx';
import buttons from './buttons.module.css';
import styles from './controls.module.css';

export interface BrokenPageProps {
  title: string;
  text: string;
  /** Words of the button that loads the page again. */
  reload: string;
  /** The switch between light and dark, handed in because the room loads this file too, and not the switch. */
  scheme: ReactNode;
}

/** Fills the page, with a button that loads it again. */
export function BrokenPage({ title, text, reload, scheme }: BrokenPageProps) {
  return (
    <main className={styles.broken}>
      <div className={styles.corner}>{scheme}</div>
      <Logo size={48} />
      <div role="alert">
        <h1 className="fr-voice">{title}</h1>
        <p>{text}</p>
      </div>
      <button type="button" className={buttons.button} onClick={() => window.location.reload()}>
        {reload}
      </button>
    </main>
  );
}
