/** A picture in its final frame: moved by pointer or with the arrow keys, zoomed with a slider. */
import { Button, Slider } from '@mantine/core';
import '@mantine/core/styles/Slider.layer.css';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import dialog from '../../../../ui/dialogs/Dialog.module.css';
import { Callout } from '../../../../ui/states/Callout.tsx';
import {
  type Cut,
  cutPicture,
  cutRectangle,
  movedCut,
  PHONE_RATIO,
  type Picture,
  PICTURE_RATIO,
  SHARP_WIDTH,
  WHOLE,
} from './chosenPicture.ts';
import styles from './EventPictureDialog.module.css';

const ZOOM_MAX = 4;
/** How far an arrow key moves the picture, as a share of the frame. */
const STEP = 0.04;
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

interface Size {
  width: number;
  height: number;
}

/** The position of the picture behind the frame; hidden until its size is known. */
function styleOf(size: Size | null, cut: Cut, ratio: number): CSSProperties {
  if (size === null) return { visibility: 'hidden' };
  const part = cutRectangle(size.width, size.height, cut, ratio);
  return {
    width: `${(size.width / part.width) * 100}%`,
    height: `${(size.height / part.height) * 100}%`,
    left: `${(-part.x / part.width) * 100}%`,
    top: `${(-part.y / part.height) * 100}%`,
  };
}

export interface CropFrameProps {
  /** Address of the picture. */
  source: string;
  /** `round`: a square of which people see the circle. */
  shape?: 'wide' | 'round';
  /** Another file is wanted. */
  onOther(): void;
  onCropped(picture: Extract<Picture, { kind: 'new' }>): void;
  /** The browser can't show or crop the file. */
  onUnreadable(): void;
}

/**
 * Crops in the browser and hands over the file with an object URL, which the receiver revokes. A picture that would be
 * blurred is reported with its width in px; the wide shape also marks what phones see of it (docs/product.md#9.23).
 */
export function CropFrame({ source, shape = 'wide', onOther, onCropped, onUnreadable }: CropFrameProps) {
  const { t } = useTranslation('events');
  const ratio = shape === 'round' ? 1 : PICTURE_RATIO;
  const frame = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const held = useRef<{ x: number; y: number } | null>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [cut, setCut] = useState<Cut>(WHOLE);
  const [busy, setBusy] = useState(false);

  // The button that led here is gone; the arrow keys work at once.
  useEffect(() => frame.current?.focus(), []);

  const move = (byX: number, byY: number) =>
    size && setCut((now) => movedCut(size.width, size.height, now, byX, byY, ratio));
  const hold = (event: PointerEvent<HTMLDivElement>) => {
    held.current = { x: event.clientX, y: event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!held.current) return;
    const box = event.currentTarget.getBoundingClientRect();
    move((event.clientX - held.current.x) / box.width, (event.clientY - held.current.y) / box.height);
    held.current = { x: event.clientX, y: event.clientY };
  };
  const release = () => {
    held.current = null;
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    move(...step);
  };
  const use = async () => {
    if (!image.current) return;
    setBusy(true);
    try {
      const file = await cutPicture(image.current, cut, ratio);
      onCropped({ kind: 'new', file, address: URL.createObjectURL(file) });
    } catch {
      onUnreadable();
    } finally {
      setBusy(false);
    }
  };

  const sharpWidth = size === null ? SHARP_WIDTH : Math.round(cutRectangle(size.width, size.height, cut, ratio).width);
  return (
    <>
      <div
        ref={frame}
        className={styles.frame}
        data-shape={shape}
        role="group"
        aria-label={t('picture.frame')}
        aria-busy={size === null}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the frame is moved by the arrow keys
        tabIndex={0}
        onKeyDown={press}
        onPointerDown={hold}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <img
          ref={image}
          src={source}
          alt={t('picture.preview')}
          draggable={false}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={onUnreadable}
          style={styleOf(size, cut, ratio)}
        />
        {shape === 'wide' ? (
          <span className={styles.phone} style={{ width: `${(PHONE_RATIO / PICTURE_RATIO) * 100}%` }} aria-hidden />
        ) : null}
      </div>
      {shape === 'wide' ? <p className={styles.phoneHint}>{t('picture.phoneHint')}</p> : null}
      <div className={styles.zoom}>
        <span>{t('picture.zoom')}</span>
        <Slider
          className={styles.slider}
          thumbLabel={t('picture.zoom')}
          label={null}
          min={1}
          max={ZOOM_MAX}
          step={0.05}
          value={cut.zoom}
          onChange={(zoom) => setCut((now) => ({ ...now, zoom }))}
        />
      </div>
      <div role="status">
        {shape === 'wide' && sharpWidth < SHARP_WIDTH ? (
          <Callout>{t('picture.small', { width: sharpWidth, sharp: SHARP_WIDTH })}</Callout>
        ) : null}
      </div>
      <div className={dialog.acts}>
        <Button variant="subtle" onClick={onOther}>
          {t('picture.other')}
        </Button>
        <Button loading={busy} disabled={size === null} onClick={() => void use()}>
          {t('picture.use')}
        </Button>
      </div>
    </>
  );
}
