/** The slim rail with which the therapist adds figures and arranges the field. */
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBookmarks,
  IconDots,
  IconEraser,
  IconEye,
  IconEyeOff,
  IconKeyboard,
  IconPhotoDown,
  IconPlus,
  IconRefresh,
  IconTypography,
} from '@tabler/icons-react';
import { type IconType, FIGURE_COLORS, ICON_TYPES } from '@fieldroom/contract/field';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { FigureIcon } from '../../../ui/figures/index.ts';
import { LazyMenu } from '../../../ui/lazy/LazyMenu.tsx';
import { FIRST_COLOR } from '../figureLabels.ts';
import { useCanUndo, useFieldPart, useFieldStore } from '../useField.ts';
import { freePlace } from './freePlace.ts';
import styles from './FieldRail.module.css';

const KINDS = ICON_TYPES.filter((kind) => kind !== 'CUSTOM');

export interface FieldRailProps {
  /** The rail is a drawer at the bottom. */
  phone: boolean;
  scheme: 'light' | 'dark';
  beams: boolean;
  onBeams(show: boolean): void;
  onIcons(): void;
  onConstellations(): void;
  onReset(): void;
  /** Saves a picture of the field. */
  onPicture(): void;
  onClear(): void;
  onKeys(): void;
  /** Called after a figure was added, to close the drawer on a phone. */
  onAdded?(): void;
}

/**
 * Adds a figure at a free place of the field (docs/product.md#5.2). Hiding names counts for everybody, hiding gazes for
 * this screen only (docs/product.md#5.26).
 */
export const FieldRail = memo(function FieldRail({
  phone,
  scheme,
  beams,
  onBeams,
  onIcons,
  onConstellations,
  onReset,
  onPicture,
  onClear,
  onKeys,
  onAdded,
}: FieldRailProps) {
  const { t } = useTranslation('field');
  const store = useFieldStore();
  const fieldKnown = useFieldPart((model) => model.field !== null);
  const empty = useFieldPart((model) => !model.field?.figures.length);
  const namesShown = useFieldPart((model) => model.field?.figures.some((figure) => figure.showText) ?? false);
  const add = (kind: IconType) => {
    store.act({
      kind: 'add',
      figure: {
        iconType: kind,
        color: FIGURE_COLORS[FIRST_COLOR[kind]],
        ...freePlace(store.get()),
      },
    });
    onAdded?.();
  };
  return (
    <nav className={styles.rail} aria-label={t('rail.label')}>
      <div className={styles.kinds}>
        {KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            className={styles.item}
            aria-label={t('rail.add', { short: t(`kind.${kind}`), kind: t(`kindLong.${kind}`) })}
            data-kind={kind}
            onClick={() => add(kind)}
            disabled={!fieldKnown}
          >
            <FigureIcon kind={kind} tone={FIGURE_COLORS[FIRST_COLOR[kind]]} scheme={scheme} size={34} />
            <span>{t(`kind.${kind}`)}</span>
          </button>
        ))}
        <button type="button" className={styles.item} onClick={onIcons}>
          <span className={styles.own} aria-hidden>
            <IconPlus size={20} stroke={1.75} />
          </span>
          <span>{t('rail.mine')}</span>
        </button>
      </div>
      <hr />
      <button
        type="button"
        className={styles.item}
        aria-pressed={namesShown}
        aria-label={namesShown ? t('rail.hideNames') : t('rail.showNames')}
        onClick={() => store.act({ kind: 'showTexts', value: !namesShown })}
        disabled={empty}
      >
        <IconTypography size={22} stroke={1.75} aria-hidden />
        <span>{t('rail.names')}</span> <small>{t('rail.scopeAll')}</small>
      </button>
      <button
        type="button"
        className={styles.item}
        aria-pressed={beams}
        aria-label={beams ? t('rail.hideGaze') : t('rail.showGaze')}
        onClick={() => onBeams(!beams)}
      >
        {beams ? <IconEye size={22} stroke={1.75} aria-hidden /> : <IconEyeOff size={22} stroke={1.75} aria-hidden />}
        <span>{t('rail.gaze')}</span> <small>{t('rail.scopeMe')}</small>
      </button>
      <UndoButtons />
      <LazyMenu
        // Beside the button, long words would make a phone's page wider.
        position={phone ? 'top-end' : 'right-end'}
        target={
          <button type="button" className={styles.item}>
            <IconDots size={22} stroke={1.75} aria-hidden />
            <span>{t('rail.more')}</span>
          </button>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item leftSection={<IconBookmarks size={18} stroke={1.75} />} onClick={onConstellations}>
              {t('rail.constellations')}
            </Menu.Item>
            <Menu.Item leftSection={<IconPhotoDown size={18} stroke={1.75} />} onClick={onPicture} disabled={empty}>
              {t('rail.picture')}
            </Menu.Item>
            <Menu.Item leftSection={<IconRefresh size={18} stroke={1.75} />} onClick={onReset} disabled={empty}>
              {t('rail.reset')}
            </Menu.Item>
            <Menu.Item leftSection={<IconEraser size={18} stroke={1.75} />} onClick={onClear} disabled={empty}>
              {t('rail.clear')}
            </Menu.Item>
            <Menu.Item leftSection={<IconKeyboard size={18} stroke={1.75} />} onClick={onKeys}>
              {t('rail.keys')}
            </Menu.Item>
          </>
        )}
      </LazyMenu>
    </nav>
  );
});

/** A component of its own, as every first act enables them. */
function UndoButtons() {
  const { t } = useTranslation('field');
  const store = useFieldStore();
  const can = useCanUndo();
  return (
    <>
      <button type="button" className={styles.item} onClick={() => store.undo()} disabled={!can.undo}>
        <IconArrowBackUp size={22} stroke={1.75} aria-hidden />
        <span>{t('rail.undo')}</span>
      </button>
      <button type="button" className={styles.item} onClick={() => store.redo()} disabled={!can.redo}>
        <IconArrowForwardUp size={22} stroke={1.75} aria-hidden />
        <span>{t('rail.redo')}</span>
      </button>
    </>
  );
}
