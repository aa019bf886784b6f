/** The menu at the side, in two levels: with words, as a rail of icons, as a drawer, or hidden (menuLayout.ts). */
import { DASHBOARD_PAGE } from '@fieldroom/contract/pages';
import { IconChevronDown, IconExternalLink, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, type ReactElement, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Tooltip } from '../../../ui/controls/Tooltip.tsx';
import { Logo } from '../../../ui/figures/index.ts';
import { isParent, type MenuEntry, type MenuLink, type MenuParent } from './mainMenu.ts';
import type { SideMenuState } from './useSideMenu.ts';
import styles from './SideMenu.module.css';

export interface SideMenuProps {
  menu: SideMenuState;
  entries: readonly MenuEntry[];
  /** Content at the foot. */
  foot: MenuLink | null;
  /** The therapist's chosen colours. */
  look: CSSProperties;
}

/**
 * Draws the state of `menu` (`useSideMenu`; docs/product.md#11.35). Where only icons are visible, tooltips have the
 * words.
 */
export function SideMenu({ menu, entries, foot, look }: SideMenuProps) {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  return (
    <>
      <nav ref={menu.side} className={styles.side} style={look} id="side-menu" aria-label={t('menu.label')}>
        <div className={styles.brandRow}>
          <Brand name={tc('product')} />
          <button type="button" className={styles.close} onClick={menu.close} aria-label={t('menu.close')}>
            <IconX size={22} stroke={1.75} aria-hidden />
          </button>
        </div>
        <ul className={styles.entries}>
          {entries.map((entry, index) => (
            <li key={entry.id} data-first={(index > 0 && entries[index - 1]?.group !== entry.group) || undefined}>
              {isParent(entry) ? <Parent entry={entry} menu={menu} /> : <Entry entry={entry} withTip={menu.rail} />}
            </li>
          ))}
        </ul>
        {foot ? (
          <div className={styles.foot}>
            <Entry entry={foot} withTip={menu.rail} />
          </div>
        ) : null}
      </nav>
      <div className={styles.scrim} aria-hidden />
    </>
  );
}

const Brand = memo(function Brand({ name }: { name: string }) {
  return (
    <Link to={DASHBOARD_PAGE} className={styles.brand}>
      <Logo size={30} />
      <span className={styles.word}>{name}</span>
    </Link>
  );
});

/** An entry with its sub-entries below it. */
function Parent({ entry: { id, icon: EntryIcon, label, entries }, menu }: { entry: MenuParent; menu: SideMenuState }) {
  const { t } = useTranslation('shell');
  const listId = useId();
  const unfolded = menu.unfoldedId === id;
  const word = t(`menu.${label}`);
  return (
    <>
      <WithTip word={word} withTip={menu.rail}>
        <button
          id={id}
          type="button"
          className={`${styles.entry} ${styles.parent}`}
          aria-expanded={unfolded}
          aria-controls={listId}
          // If its sub-entries are visible, the open one is marked instead.
          data-active={(menu.selectedId === id && !unfolded) || undefined}
          onClick={() => menu.unfold(id)}
        >
          <EntryIcon size={21} stroke={1.75} aria-hidden />
          <span className={styles.word}>{word}</span>
          <IconChevronDown size={18} stroke={1.75} className={`${styles.chevron} ${styles.word}`} aria-hidden />
        </button>
      </WithTip>
      <ul id={listId} className={styles.subEntries} hidden={!unfolded}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} withTip={false} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface EntryProps {
  entry: MenuLink;
  withTip: boolean;
}

/** Most entries do not change when the page does. */
const Entry = memo(function Entry({ entry, withTip }: EntryProps) {
  const { id, icon: EntryIcon, label, target, newWindow } = entry;
  const { t } = useTranslation('shell');
  const word = t(`menu.${label}`);
  const inside = (
    <>
      <EntryIcon size={21} stroke={1.75} aria-hidden />
      <span className={styles.word}>{word}</span>
    </>
  );
  return (
    <WithTip word={word} withTip={withTip}>
      {newWindow ? (
        <a id={id} href={target} target="_blank" rel="noreferrer" className={styles.entry}>
          {inside}
          <span className="fr-hidden">{t('menu.newWindow')}</span>
          <IconExternalLink size={16} stroke={1.75} aria-hidden />
        </a>
      ) : (
        <Link
          id={id}
          to={target}
          className={styles.entry}
          activeProps={{ 'data-active': true }}
          activeOptions={{ exact: false }}
        >
          {inside}
        </Link>
      )}
    </WithTip>
  );
});

/** Where only the icon is visible, a tooltip has the word. */
function WithTip({ word, withTip, children }: { word: string; withTip: boolean; children: ReactElement }) {
  return (
    <Tooltip label={word} side="right" disabled={!withTip}>
      {children}
    </Tooltip>
  );
}
