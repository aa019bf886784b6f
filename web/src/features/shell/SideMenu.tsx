/** The menu at the side: a rail with or without words on a desk, a drawer on a phone. */
import { Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Logo } from '../../ui/figures/index.ts';
import { type MenuEntry, menuFootFor, menuFor } from './mainMenu.ts';
import styles from './Shell.module.css';
import own from './SideMenu.module.css';

export interface SideMenuProps {
  ref: Ref<HTMLElement>;
  authorities: readonly string[];
  open: boolean;
  onClose(): void;
}

export function SideMenu({ ref, authorities, open, onClose }: SideMenuProps) {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  const entries = menuFor(authorities);
  const foot = menuFootFor(authorities);
  return (
    <nav ref={ref} className={styles.side} id="side-menu" aria-label={t('menu.label')}>
      <div className={styles.brandRow}>
        <Link to="/app/dashboard" className={styles.brand}>
          <Logo size={30} />
          <span className={styles.word}>{tc('product')}</span>
        </Link>
        <button type="button" className={styles.drawerClose} onClick={onClose} aria-label={t('menu.close')}>
          <IconX size={22} stroke={1.75} aria-hidden />
        </button>
      </div>
      <ul className={styles.entries}>
        {entries.map((entry, index) => (
          <li key={entry.id} data-first={(index > 0 && entries[index - 1]?.group !== entry.group) || undefined}>
            <Entry entry={entry} withTip={!open} />
          </li>
        ))}
      </ul>
      {foot ? (
        <div className={own.foot}>
          <Entry entry={foot} withTip={!open} />
        </div>
      ) : null}
    </nav>
  );
}

/** An entry; where only its icon is shown, its word stands in a tooltip. */
function Entry({ entry: { id, icon: EntryIcon, label, target }, withTip }: { entry: MenuEntry; withTip: boolean }) {
  const { t } = useTranslation('shell');
  const word = t(`menu.${label}`);
  return (
    <Tooltip
      withinPortal={false}
      label={word}
      position="right"
      disabled={!withTip}
      classNames={{ tooltip: styles.railTip ?? '' }}
    >
      <Link
        id={id}
        to={target}
        className={styles.entry}
        activeProps={{ 'data-active': true }}
        activeOptions={{ exact: false }}
      >
        <EntryIcon size={21} stroke={1.75} aria-hidden />
        <span className={styles.word}>{word}</span>
      </Link>
    </Tooltip>
  );
}
