/** The switch between light and dark of pages outside the app; a file of its own, as the room has none. */
import { IconMoon, IconSun } from '@tabler/icons-react';
import { setAppearance, useAppearance } from '../ui/theme/appearance.ts';
import styles from './controls.module.css';

/** Switches between light and dark (docs/product.md#11.2). Takes the words for dark. */
export function SchemeSwitch({ label, className = '' }: { label: string; className?: string | undefined }) {
  const dark = useAppearance().scheme === 'dark';
  return (
    <button
      type="button"
      className={`${styles.scheme} ${className}`}
      aria-label={label}
      aria-pressed={dark}
      title={label}
      onClick={() => setAppearance({ scheme: dark ? 'light' : 'dark' })}
    >
      {/* The style shows one: what the server drew does not know which. */}
      <IconMoon className={styles.toDark} size={20} stroke={1.75} aria-hidden />
      <IconSun className={styles.toLight} size={20} stroke={1.75} aria-hidden />
    </button>
  );
}
