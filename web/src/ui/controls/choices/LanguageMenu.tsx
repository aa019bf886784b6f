import { IconCheck, IconWorld } from '@tabler/icons-react';
import { LazyMenu } from '../../lazy/LazyMenu.tsx';
import styles from './LanguageMenu.module.css';

export interface LanguageMenuProps<Code extends string> {
  label: string;
  languages: readonly { code: Code; label: string }[];
  current: Code;
  onPick(code: Code): void;
}

/** The languages under their own names; hidden when there is only one (docs/product.md#11.1). */
export function LanguageMenu<Code extends string>({ label, languages, current, onPick }: LanguageMenuProps<Code>) {
  if (languages.length < 2) return null;
  const shown = languages.find((language) => language.code === current)?.label ?? current;
  const target = (
    <button type="button" className={styles.target} aria-label={`${label}: ${shown}`}>
      <IconWorld size={20} stroke={1.75} aria-hidden />
      <span>{shown}</span>
    </button>
  );
  return (
    <LazyMenu target={target} position="bottom-end" withinPortal={false}>
      {(Parts) =>
        languages.map(({ code, label: name }) => (
          <Parts.Item
            key={code}
            lang={code}
            aria-current={code === current || undefined}
            rightSection={code === current ? <IconCheck size={18} stroke={1.75} aria-hidden /> : null}
            onClick={() => onPick(code)}
          >
            {name}
          </Parts.Item>
        ))
      }
    </LazyMenu>
  );
}
