/** Zoom and its percentage; a separate component, so that each zoom step redraws only this text. */
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { memo, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CameraView, FieldViewHandle } from '../drawing/index.ts';
import type { CameraListener } from './useOwnHand.ts';
import styles from './ZoomBar.module.css';

interface ZoomBarProps {
  view: RefObject<FieldViewHandle | null>;
  /** Set by this bar: is called with the camera's moves. */
  camera: RefObject<CameraListener>;
  /** The person has a figure of their own, to which the view can change. */
  own: boolean;
}

/**
 * Zooms by steps and fits the view. For people with a figure of their own, the last button changes between "My figure"
 * and "Whole field" (docs/product.md#5.24).
 */
export const ZoomBar = memo(function ZoomBar({ view, camera: listener, own }: ZoomBarProps) {
  const { t } = useTranslation('field');
  const [{ zoom, view: shown }, setCamera] = useState<CameraView>({ zoom: 1, view: 'figures' });
  useLayoutEffect(() => {
    listener.current = setCamera;
  }, [listener]);
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (bar.current ? view.current?.keepClear(bar.current) : undefined), [view]);
  const percent = t('zoom.percent', { percent: Math.round(zoom * 100) });
  const toOwn = own && shown === 'figures';
  const toWhole = own ? t('zoom.whole') : t('zoom.fit');
  return (
    <div ref={bar} className={styles.zoom} data-room="zoom" role="group" aria-label={percent}>
      <button type="button" aria-label={t('zoom.out')} onClick={() => view.current?.zoomOut()}>
        <IconMinus size={20} stroke={1.75} aria-hidden />
      </button>
      <output aria-live="off">{percent}</output>
      <button type="button" aria-label={t('zoom.in')} onClick={() => view.current?.zoomIn()}>
        <IconPlus size={20} stroke={1.75} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.fit}
        onClick={() => (toOwn ? view.current?.fitOwn() : view.current?.fit())}
      >
        <IconMaximize size={20} stroke={1.75} aria-hidden />
        {toOwn ? t('zoom.own') : toWhole}
      </button>
    </div>
  );
});
