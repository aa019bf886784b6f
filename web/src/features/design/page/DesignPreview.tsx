/** A small preview of the field and the two menus: drawn and coloured by the real components. */
import type { Figure } from '@fieldroom/contract/field';
import {
  IconCalendarEvent,
  IconFocusCentered,
  IconHistory,
  IconHome,
  IconMenu2,
  IconMoon,
  IconPalette,
  IconWorld,
} from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { storage } from '../../../platform/storage.ts';
import { Logo } from '../../../ui/figures/index.ts';
import { type FieldGround, FieldStill } from '../../field/picture/index.ts';
import { leftMenuLook, topMenuLook } from '../menus/menuLook.ts';
import type { Draft } from './saving/designDraft.ts';
import styles from './DesignPreview.module.css';

/** Entries of the menu in each of their states; `label` is a key under `shell:menu`. */
const ENTRIES = [
  { icon: IconHome, label: 'dashboard', state: 'plain' },
  { icon: IconFocusCentered, label: 'play-area', state: 'selected' },
  { icon: IconCalendarEvent, label: 'manage-events-client', state: 'hover' },
  { icon: IconHistory, label: 'history', state: 'plain' },
  { icon: IconPalette, label: 'template', state: 'plain' },
] as const;

const FIGURES = [
  { name: 'mother', iconType: 'FEMALE_FIGURE', color: '#D7739C', x: 420, y: 420, rotation: 80 },
  { name: 'father', iconType: 'MALE_FIGURE', color: '#2B549D', x: 1180, y: 400, rotation: -95 },
  { name: 'child', iconType: 'FEMALE_CIRCLE', color: '#EFDA71', x: 800, y: 700, rotation: 0 },
] as const;
const PLACE = { iconId: null, showText: true, scale: 1.5, movableBy: 'therapist', updatedOn: 0 } as const;
const START = { startX: 0, startY: 0, startRotation: 0, startScale: 1 };

/**
 * Draws a draft that need not be saved. `ground` is colour and picture of the field. Screen readers read one image;
 * nothing in it can be focused.
 */
export function DesignPreview({ draft, ground }: { draft: Draft; ground: FieldGround }) {
  const { t } = useTranslation('design');
  const { t: ts } = useTranslation('shell');
  const firstName = storage.get('user')?.firstName ?? '';
  const figures = useMemo(
    () =>
      FIGURES.map((figure, index): Figure => ({
        ...figure,
        ...PLACE,
        ...START,
        relations: [],
        id: index + 1,
        order: index,
        name: t(`preview.${figure.name}`),
      })),
    [t],
  );
  return (
    <div className={styles.preview} role="img" aria-label={t('preview.label')}>
      <div className={styles.frame} aria-hidden inert>
        <div className={styles.side} style={leftMenuLook(draft.left)}>
          <span className={styles.brand}>
            <Logo size={20} />
          </span>
          {ENTRIES.map(({ icon: Icon, label, state }) => (
            <span key={label} className={styles.entry} data-state={state}>
              <Icon size={15} stroke={1.75} />
              <span>{ts(`menu.${label}`)}</span>
            </span>
          ))}
        </div>
        <div className={styles.top} style={topMenuLook(draft.top)}>
          <IconMenu2 size={16} stroke={1.75} />
          <span className={styles.grow} />
          <IconMoon size={16} stroke={1.75} />
          <IconWorld size={16} stroke={1.75} />
          <span>{firstName}</span>
        </div>
        <div className={styles.field}>
          <FieldStill figures={figures} label={t('preview.label')} names ground={ground} />
        </div>
      </div>
    </div>
  );
}
