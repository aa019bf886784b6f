/**
 * A field as it stands or stood: figures with names, places and gazes, seen as the room shows them at first, and
 * nothing to move. It fills its parent.
 */
import { type Figure, iconImage } from '@fieldroom/contract/field';
import { useElementSize } from '@mantine/hooks';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { storage } from '../../../platform/storage.ts';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { type FieldGround, groundKind, groundLook } from '../drawing/ground.ts';
import { figureLabel } from '../figureLabels.ts';
import { useIconDrawings } from '../icons/iconLibrary.ts';
import { StillDrawing, stillFigures } from './StillDrawing.tsx';
import styles from './FieldStill.module.css';

export interface FieldStillProps {
  figures: readonly Figure[];
  /** What the picture is, for screen readers. */
  label: string;
  /** Names stand under the figures, also where the room hides them: the therapist alone sees this. */
  names: boolean;
  /** Each figure is said to screen readers too: name, kind, place and gaze. */
  described?: boolean;
  /** What lies behind the figures; null while nobody knows it. */
  ground: FieldGround | null;
}

/** The size in px that is drawn for until the box was measured. */
const UNMEASURED = { width: 720, height: 400 };
/** Width of the border around letters, px. A picture may have any colour behind each letter. */
const EDGE = 4;
const EDGE_ON_PICTURE = 7;

const drawings = {
  image: (id: number) =>
    api.call(iconImage, { params: { therapistId: storage.get('user')?.id ?? 0, id } }) as Promise<Blob>,
};

/** What the drawing needs of each figure, with the own icons as they arrive. */
function useDrawnFigures(figures: readonly Figure[]) {
  const worn = useMemo(() => figures.flatMap(({ iconId }) => (iconId === null ? [] : [iconId])), [figures]);
  const { urls, drawn } = useIconDrawings(drawings, worn);
  return useMemo(
    () =>
      stillFigures(figures, {
        get: (iconId) => ({ url: urls.get(iconId) ?? null, width: undefined, height: undefined, ...drawn.get(iconId) }),
      }),
    [figures, urls, drawn],
  );
}

export function FieldStill({ figures, label, names, described = false, ground }: FieldStillProps) {
  const { t } = useTranslation('field');
  const appearance = useAppearance();
  const { scheme, style } = groundLook(ground, appearance.scheme);
  const uid = useId();
  const box = useElementSize();
  const drawn = useDrawnFigures(figures);
  const size = box.width > 0 && box.height > 0 ? { width: box.width, height: box.height } : UNMEASURED;

  return (
    <div
      ref={box.ref}
      className={styles.still}
      style={style}
      data-scheme={appearance.scheme}
      data-ground={groundKind(ground)}
      role={described ? 'group' : 'img'}
      aria-label={label}
    >
      {ground?.url ? (
        <img key={ground.url} className={styles.groundPicture} src={ground.url} alt="" decoding="sync" />
      ) : null}
      <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden focusable="false">
        <StillDrawing
          size={size}
          figures={drawn}
          captionOf={({ name }) => (names ? name : '')}
          gazes
          scheme={scheme}
          ink="var(--fr-text)"
          edge="var(--fr-field-edge)"
          edgeWidth={ground?.url ? EDGE_ON_PICTURE : EDGE}
          uid={uid}
          marked
        />
      </svg>
      {described ? (
        <ul className="fr-hidden">
          {drawn.map((figure) => (
            <li key={figure.id}>{figureLabel(t, figure)}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
