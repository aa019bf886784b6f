/** A tree, shown for a moment each time a full block of hours is reached (docs/product.md#7.5). */
import { TREE_SHOWN_MS, treesOf } from '@fieldroom/contract/usage';
import { IconTree } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plantedTree } from './timerModel.ts';
import styles from './TreePlanted.module.css';

/**
 * Takes all counted seconds of the account. Shows the tree only when the number passes a block while it is mounted, not
 * for earlier blocks.
 */
export function TreePlanted({ seconds }: { seconds: number }) {
  const { t } = useTranslation('usage');
  const before = useRef<number | null>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (plantedTree(before.current, seconds)) setShown(true);
    before.current = seconds;
  }, [seconds]);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(false), TREE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <span role="status" className={styles.place}>
      {shown && (
        <span className={styles.tree}>
          <IconTree size={40} stroke={1.5} aria-hidden />
          {t('tree.planted', { count: treesOf(seconds) })}
        </span>
      )}
    </span>
  );
}
